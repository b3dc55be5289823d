import fc from 'fast-check';
import type { TestDelivery } from './delivery.ts';

/** Generates deliveries with few users, ids, times and values, so that keys collide and versions compete. */

const DAY = 86_400_000;
const BASE = Date.UTC(2026, 2, 28, 12);
const users = ['user-a', 'user-b'];

const user = fc.constantFrom(...users);
/** Sample times that are close together, on different days, a year ago, or outside the range of the date partitions. */
const moment = fc.constantFrom(
  ...[0, 1000, 2000, 43_200_000, -DAY, -40 * DAY, -370 * DAY].map((shift) => BASE + shift),
  Date.UTC(1999, 0, 1),
  Date.UTC(2050, 0, 1),
);
const iso = (ms: number): string => new Date(ms).toISOString();
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const source = fc.constantFrom<object>(
  { provider: 'fitbit', type: 'watch' },
  { provider: 'fitbit', type: 'phone' },
  { name: 'Oura', slug: 'oura', logo: 'https://example.org/oura.png' },
  { provider: 'freestyle_libre', type: 'automatic' },
);

const envelope = (event_type: string, data: object, user_id: string) => ({
  event_type,
  team_id: 'team',
  user_id,
  client_user_id: `client-${user_id}`,
  data,
});

const activity = fc
  .record({
    user,
    id: fc.constantFrom('id-1', 'id-2', 'id-3', undefined),
    source,
    steps: fc.nat(3),
    distance: maybe(fc.constantFrom(1.5, 2.5)),
    resting: maybe(fc.nat(2)),
    calendar_date: fc.constantFrom('2026-03-28', '2026-03-29', '2025-03-28'),
    updated: maybe(fc.nat(3)),
    kind: fc.constantFrom('created', 'updated'),
  })
  .map(({ user, id, source, steps, distance, resting, calendar_date, updated, kind }) =>
    envelope(
      `daily.data.activity.${kind}`,
      {
        ...(id === undefined ? {} : { id }),
        source,
        steps,
        calendar_date,
        ...(distance === undefined ? {} : { distance }),
        ...(resting === undefined ? {} : { heart_rate: { resting_bpm: resting } }),
        ...(updated === undefined ? {} : { created_at: iso(BASE), updated_at: iso(BASE + updated * 1000) }),
      },
      user,
    ),
  );

const offset = fc.constantFrom<number | null>(null, 3600, -18_000);
const samples = (sample: fc.Arbitrary<object>) => fc.array(sample, { maxLength: 5 });

const series = (resource: string, sample: fc.Arbitrary<object>, from: fc.Arbitrary<object> = source) =>
  fc
    .record({ user, source: from, data: samples(sample), kind: fc.constantFrom('created', 'updated') })
    .map(({ user, source, data, kind }) => {
      // Libre's samples never have a time zone offset.
      const libre = (source as { provider?: string }).provider === 'freestyle_libre';
      const kept = libre ? data.map((one) => ({ ...one, timezone_offset: null })) : data;
      return envelope(`daily.data.${resource}.${kind}`, { source, data: kept }, user);
    });

const discrete = fc
  .record({
    at: moment,
    timezone_offset: offset,
    type: fc.constantFrom(null, 'automatic', 'manual_scan'),
    unit: fc.constantFrom('bpm', 'mmol/L'),
    value: fc.option(fc.nat(3), { nil: null }),
  })
  .map(({ at, ...rest }) => ({ timestamp: iso(at), ...rest }));
const interval = fc
  .record({ at: moment, timezone_offset: offset, value: fc.nat(3) })
  .map(({ at, timezone_offset, value }) => ({ start: iso(at), end: iso(at + 900_000), timezone_offset, unit: 'count', value }));
/** Several values at the same time, distinguished by their type. */
const injection = fc
  .record({
    at: moment,
    type: fc.constantFrom('rapid_acting', 'long_acting', null),
    value: fc.nat(3),
    delivery_mode: fc.constantFrom('basal', 'bolus', null),
    bolus_purpose: fc.constantFrom('meal', undefined),
  })
  .map(({ at, ...rest }) => ({ start: iso(at), end: iso(at), unit: 'unit', ...rest }));
/** Several workouts at the same time, distinguished by the `workout_id` of their source. */
const workout = fc
  .record({ at: moment, value: fc.nat(3), intensity: fc.constantFrom('low', 'high', null) })
  .map(({ at, ...rest }) => ({
    start: iso(at),
    end: iso(at + 900_000),
    unit: 'min',
    ...rest,
  }));
const workoutSource = fc
  .record({ source, workout_id: fc.constantFrom('w-1', 'w-2', null) })
  .map(({ source, workout_id }) => ({ ...source, workout_id }));
const note = fc
  .record({
    at: moment,
    value: fc.constantFrom('a pizza', '', null),
    tags: fc.constantFrom(['food'], ['food', 'exercise'], [], null),
    timezone_offset: offset,
  })
  .map(({ at, ...rest }) => ({ start: iso(at), end: iso(at + 1000), unit: 'text', ...rest }));
const pressure = fc
  .record({ at: moment, systolic: fc.integer({ min: 110, max: 112 }), diastolic: fc.nat(3) })
  .map(({ at, systolic, diastolic }) => ({ timestamp: iso(at), unit: 'mmHg', systolic, diastolic }));

const connection = fc.oneof(
  user.map((user_id) =>
    envelope(
      'provider.connection.created',
      { provider: { name: 'Oura', slug: 'oura' }, resource_availability: { sleep: { status: 'available' } } },
      user_id,
    ),
  ),
  user.map((user_id) =>
    envelope('provider.connection.error', { provider: 'oura', error_type: 'unknown', message: 'm', error_details: 'd' }, user_id),
  ),
);
const completion = user.map((user_id) =>
  envelope(
    'historical.data.sleep.created',
    { provider: 'oura', start_date: iso(BASE - 90 * DAY), end_date: iso(BASE), is_final: true },
    user_id,
  ),
);
const unknown = user.map((user_id) => envelope('daily.data.not_yet_known.created', { id: 'x' }, user_id));

const body = fc.oneof(
  { weight: 4, arbitrary: activity },
  { weight: 4, arbitrary: series('heartrate', discrete) },
  { weight: 2, arbitrary: series('glucose', discrete) },
  { weight: 3, arbitrary: series('steps', interval) },
  { weight: 2, arbitrary: series('blood_pressure', pressure) },
  { weight: 2, arbitrary: series('insulin_injection', injection) },
  { weight: 2, arbitrary: series('workout_duration', workout, workoutSource) },
  { weight: 1, arbitrary: series('note', note) },
  { weight: 1, arbitrary: connection },
  { weight: 1, arbitrary: completion },
  { weight: 1, arbitrary: unknown },
);

interface Entry {
  readonly partition: number;
  readonly gap: number;
  /** Milliseconds since the previous delivery. Negative if the clock of the broker goes backwards. */
  readonly later: number;
  readonly id: number | undefined;
  /** If set, this entry repeats an earlier delivery of the partition: 0 means the previous one, 1 the one before it. */
  readonly again: number | undefined;
  /** Whether the repeated delivery has a shorter body, but the same id. */
  readonly cut: boolean;
  readonly body: { readonly event_type: string; readonly user_id: string; readonly data: { readonly data?: readonly unknown[] } };
}

const entry: fc.Arbitrary<Entry> = fc.record({
  partition: fc.nat(2),
  gap: fc.constantFrom(1, 1, 1, 2, 5),
  later: fc.constantFrom(0, 0, 1, 1000, -1000, DAY / 2),
  id: maybe(fc.nat(4)),
  again: maybe(fc.nat(4)),
  cut: fc.boolean(),
  body: body as fc.Arbitrary<Entry['body']>,
});

/** Entries with the same key and the same time of receipt. Only the last parts of the version distinguish the rows. */
const tied: fc.Arbitrary<Entry> = fc.record({
  partition: fc.nat(2),
  gap: fc.constant(1),
  later: fc.constant(0),
  id: fc.constant(undefined),
  again: fc.constant(undefined),
  cut: fc.constant(false),
  body: fc
    .nat(9)
    .chain((value) =>
      fc.constantFrom(
        envelope(
          'daily.data.heartrate.created',
          { source: { provider: 'fitbit', type: 'watch' }, data: [{ timestamp: iso(BASE), unit: 'bpm', value }] },
          'user-a',
        ),
        envelope(
          'daily.data.activity.created',
          { id: 'id-1', source: { provider: 'fitbit', type: 'watch' }, steps: value },
          'user-a',
        ),
      ),
    ) as fc.Arbitrary<Entry['body']>,
});

/** Generates logs of up to three partitions, with repeated and shortened deliveries, reused ids and equal times of receipt. */
export const deliveries: fc.Arbitrary<TestDelivery[]> = fc
  .oneof(
    { weight: 3, arbitrary: fc.array(entry, { minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.array(tied, { minLength: 1, maxLength: 12 }) },
  )
  .map((entries) => {
    const partitions = new Map<number, TestDelivery[]>();
    for (const { partition, gap, later, id, again, cut, body } of entries) {
      const log = partitions.get(partition) ?? [];
      partitions.set(partition, log);
      const last = log.at(-1);
      const offset = (last?.offset ?? -1) + gap;
      const receivedAt = (last?.receivedAt ?? BASE) + later;
      const earlier = again === undefined ? undefined : log.at(-1 - again);
      const data = earlier === undefined ? undefined : (earlier.body as Entry['body']).data;
      if (earlier !== undefined) {
        const shortened =
          cut && data?.data !== undefined
            ? { ...(earlier.body as object), data: { ...data, data: data.data.slice(0, -1) } }
            : earlier.body;
        log.push({ ...earlier, offset, receivedAt, body: shortened });
      } else {
        const headers = {
          'event-type': body.event_type,
          'user-id': body.user_id,
          'team-id': 'team',
          ...(id === undefined ? {} : { 'idempotency-key': `id-${id}` }),
        };
        log.push({ source: 'hub', partition, offset, receivedAt, headers, body });
      }
    }
    return [...partitions.values()].flat();
  });
