import { LAST_RECEIPT } from './calendar-oracle.ts';
import { dateOf, iso, type PeopleRows, type Source, User } from './questions.user.ts';

/** People for docs/guides/questions.md: random ones, and some whose data lead a careless query to a wrong answer. */

const ring: Source = { provider: 'oura', source_type: 'ring' };
const watch: Source = { provider: 'garmin', source_type: 'watch' };
const phone: Source = { provider: 'apple_health_kit', source_type: 'phone' };
const scale: Source = { provider: 'withings', source_type: 'scale' };
const cuff: Source = { provider: 'omron', source_type: 'cuff' };
const meter: Source = { provider: 'accuchek_ble', source_type: 'fingerprick' };
const sensor: Source = { provider: 'freestyle_libre', source_type: 'automatic' };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The first day of the random people. Today is the first of April. */
const FIRST = Date.parse('2026-03-04T00:00:00Z');
const DAYS = 30;

/** Returns a generator of numbers from 0 to below 1 (mulberry32), with a few ways to use them. */
function randomness(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    chance: (share: number) => next() < share,
    between,
    of: <T>(list: readonly T[]): T => list[between(0, list.length - 1)]!,
  };
}

type Randomness = ReturnType<typeof randomness>;

/** Adds a random day of a user. */
function randomDay(user: User, index: number, start: number, random: Randomness): void {
  const { chance, between, of } = random;
  const date = dateOf(start);
  const at = (hour: number): number => start + hour * HOUR + between(0, 59) * 60_000;
  const lacksOffset = () => (chance(0.3) ? { timezone_offset_s: null } : {});
  const late = () => ({ latencyMs: chance(0.1) ? between(1, 90) * HOUR : between(1, 7000) * 1000 });
  for (const source of [ring, watch, phone])
    if (chance(0.6))
      user.activity(source, {
        calendar_date: date,
        steps: chance(0.9) ? between(500, 15_000) : null,
        heart_rate_resting_bpm: chance(0.7) ? between(45, 80) : null,
      });
  for (const source of [watch, phone])
    if (chance(0.7))
      for (let hour = between(5, 9); hour < 24; hour += between(2, 5)) {
        const from = at(hour);
        const end_at = iso(from - user.offset * 1000 + 900_000);
        user.sample(source, from, {
          resource: 'steps',
          value: between(0, 900),
          unit: 'count',
          end_at,
          ...lacksOffset(),
          ...late(),
        });
      }
  for (const source of [ring, watch])
    if (chance(0.7))
      for (let hour = 0; hour < (chance(0.2) ? 2 : 8); hour++)
        user.sample(source, at(hour * 3), {
          resource: 'heartrate',
          value: chance(0.01) ? 400 : between(50, 140),
          unit: chance(0.02) ? 'furlong' : 'bpm',
          ...late(),
        });
  if (chance(0.8)) user.sleep(watch, start + between(20, 27) * HOUR, chance(0.9) ? between(15_000, 32_000) : null);
  if (chance(0.3)) user.sleep(ring, start + between(21, 26) * HOUR, between(15_000, 32_000));
  if (chance(0.2)) user.sleep(watch, start + 14 * HOUR, 2400, { sleep_type: 'acknowledged_nap' });
  if (chance(0.2)) user.sleep(watch, start + 16 * HOUR, 1200, { sleep_type: 'short_sleep' });
  if (chance(0.4)) {
    const minutes = between(30, 60);
    user.workout(watch, start + 17 * HOUR, minutes, { distance_m: chance(0.8) ? minutes * 150 : null, calories_kcal: 300 });
    if (chance(0.5)) user.workout(phone, start + 17 * HOUR + 60_000, minutes, { distance_m: chance(0.8) ? minutes * 155 : null });
  }
  if (chance(0.5))
    for (const source of chance(0.3) ? [scale, phone] : [of([scale, phone])]) {
      const sent = chance(0.3) ? { value: between(140, 150), unit: 'lb' } : { value: between(63, 68), unit: 'kg' };
      user.sample(source, at(7), { resource: 'weight', ...sent, ...lacksOffset(), ...late() });
    }
  for (const hour of [6, 14, 20])
    if (chance(0.4) && !(index === 1 && hour === 20)) {
      const when = at(hour);
      const unit = of(['mmHg', 'mm Hg', null, 'kPa']);
      const [systolic_mmhg, diastolic_mmhg] = [between(105, 145), between(60, 90)].map((one) =>
        unit === 'kPa' ? one * 0.133322387415 : one,
      ) as [number, number];
      for (const source of chance(0.4) ? [cuff, phone] : [cuff])
        user.reading(source, when, { systolic_mmhg, diastolic_mmhg, unit, ...lacksOffset() });
    }
  if (index % 3 === 0)
    for (let hour = 0; hour < 24; hour += 4) {
      if (chance(0.3))
        user.sample(meter, at(hour), {
          resource: 'glucose',
          value: of([54, 69, 70, 99, 180, 181, 250]),
          unit: 'mg/dL',
          ...late(),
        });
      if (chance(0.8))
        user.sample(sensor, at(hour), {
          resource: 'glucose',
          ...of([
            ...[2.9, 3.8, 3.9, 5.5, 7.2, 10.0, 10.1].map((value) => ({ value, unit: 'mmol/L' })),
            ...[69, 70, 180, 181].map((value) => ({ value, unit: 'mg/dL' })),
          ]),
          time_basis: 'floating' as const,
          ...late(),
        });
    }
}

/** Users that lead a careless query to a wrong answer. */
function specialUsers(rows: PeopleRows): void {
  const user = (id: string, offset: number, isKnown = true): User => {
    if (isKnown) rows.users.push({ user_id: id });
    return new User(rows, id, offset);
  };
  const without = user('never-had-data', 0);
  without.connect('garmin', '2026-03-01T00:00:00Z');
  without.delivery(undefined, LAST_RECEIPT);
  const stopped = user('stopped', 0);
  stopped.activity(watch, { calendar_date: '2026-03-18', steps: 4000, heart_rate_resting_bpm: 61 });
  // The clock of the device was wrong.
  stopped.sample(watch, Date.parse('2034-01-01T00:00:00Z'), {
    resource: 'heartrate',
    value: 60,
    unit: 'bpm',
    _received_at: '2026-03-18T12:00:00.000Z',
  });
  stopped.delivery(watch, '2026-03-18T12:00:00.000Z');
  // The service fetches and repeats deliveries after the last data.
  stopped.delivery(undefined, '2026-03-31T12:00:00.000Z');
  stopped.delivery(watch, '2026-03-31T13:00:00.000Z', { redelivered: true });
  stopped.delivery(watch, '2026-03-31T14:00:00.000Z', { dead_letter_reason: 'not_json' });
  rows.connections.push({ user_id: 'stopped', provider: 'garmin', status: 'connected' });
  rows.connections.push({ user_id: 'stopped', provider: 'oura', status: 'error' });
  const late = user('late-delivery', 0);
  late.activity(watch, { calendar_date: '2026-03-20', steps: 5000, heart_rate_resting_bpm: 62 });
  late.delivery(watch, '2026-03-31T23:00:00.000Z');
  // Two weeks of weights are needed for a trend.
  const weighed = user('weighed-for-eight-days', 0);
  for (const day of [20, 23, 28])
    weighed.sample(scale, Date.parse(`2026-03-${day}T07:00:00Z`), { resource: 'weight', value: 60 + day / 10, unit: 'kg' });
  // Two nights do not show how regular bedtimes are.
  for (const day of [21, 24]) weighed.sleep(watch, Date.parse(`2026-03-${day}T22:${day}:00Z`), 25_000);
  weighed.delivery(scale, '2026-03-30T07:00:00.000Z');
  // The service no longer has this user.
  const deleted = user('deleted', 19_800, false);
  deleted.activity(watch, { calendar_date: '2026-03-25', steps: 3000, heart_rate_resting_bpm: 66 });
  deleted.delivery(watch, '2026-03-25T18:00:00.000Z');
  // The devices send impossible values, too.
  const zeros = user('sends-zeros', 0);
  const morning = Date.parse('2026-03-25T08:00:00Z');
  for (const [hours, systolic_mmhg, diastolic_mmhg] of [
    [0, 120, 80],
    [1, 0, 0],
    [12, 121, 81],
  ] as const)
    zeros.reading(cuff, morning + hours * HOUR, { systolic_mmhg, diastolic_mmhg });
  for (const [hours, value] of [
    [0, 0],
    [1, 6],
    [2, 6],
  ] as const)
    zeros.sample(sensor, morning + hours * HOUR, { resource: 'glucose', value, unit: 'mmol/L', time_basis: 'floating' });
  for (const source of [cuff, sensor]) zeros.delivery(source, '2026-03-27T08:00:00.000Z');
  const ahead = user('ahead-of-utc', 43_200);
  ahead.activity(watch, { calendar_date: '2026-04-02', steps: 100, heart_rate_resting_bpm: 55 });
  ahead.delivery(watch, '2026-04-01T15:00:00.000Z');
}

export function questionPeople(): PeopleRows {
  const rows: PeopleRows = {
    users: [],
    timeseries: [],
    blood_pressure: [],
    activity: [],
    sleep: [],
    workouts: [],
    connection_events: [],
    connections: [],
    deliveries: [],
  };
  const random = randomness(15);
  specialUsers(rows);
  for (let index = 0; index < 9; index++) {
    const user = new User(rows, `person-${index}`, [-36_000, -18_000, 0, 19_800, 43_200][index % 5]!);
    rows.users.push({ user_id: user.id });
    rows.connections.push({ user_id: user.id, provider: 'garmin', status: random.of(['connected', 'error']) });
    // Connected after the first days, so these are history. Some reconnect later.
    for (const { provider } of [watch, phone, scale, ring, meter, sensor]) {
      user.connect(provider, iso(FIRST + random.between(0, 9) * DAY));
      if (random.chance(0.3)) user.connect(provider, iso(FIRST + 20 * DAY));
    }
    for (let day = 0; day < DAYS; day++) if (random.chance(0.9)) randomDay(user, index, FIRST + day * DAY, random);
    // Most sources are still in use. A source that stopped earlier leaves days incomplete.
    for (const source of [ring, watch, phone, scale, cuff, meter, sensor]) {
      const hoursAgo = random.chance(0.9) ? random.between(0, 20) : random.between(24, 200);
      user.delivery(source, iso(Date.parse(LAST_RECEIPT) - hoursAgo * HOUR));
    }
    // The clock of the device is three hours fast.
    user.sample(watch, FIRST + 25 * DAY + 1000, { resource: 'heartrate', value: 71, unit: 'bpm', latencyMs: -3 * HOUR });
    // A correction, which comes long after the measurement.
    user.sample(watch, FIRST + 15 * DAY + 1000, {
      resource: 'heartrate',
      value: 70,
      unit: 'bpm',
      event_type: 'daily.data.heartrate.updated',
      latencyMs: 200 * HOUR,
    });
  }
  return rows;
}
