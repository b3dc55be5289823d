import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Database } from '../storage/database.ts';
import type { User } from '../users/users.ts';
import type { Json, Source } from './arrival.ts';
import { sourceNumber } from './ingestion.ts';
import { type Position, positionOf, SampleStore } from './sample-store.ts';
import { bodyOf, samplesOf } from './samples.ts';

const RESOURCE = 'cholesterol';
const database = Database.open(':memory:');
const store = new SampleStore(database);
database.run("insert into organizations values ('o', 'first', 'scale', 0, null)");
database.run("insert into teams values (1, 't', 'o', 'first', 'us', null, 0, 'both', 0, '{}', null)");
afterAll(() => database.close());

let users = 0;
function newUser(): User {
  const user_id = `user ${users++}`;
  database.run("insert into users (user_id, team_id, client_user_id, created_on) values (?, 't', ?, 0)", user_id, user_id);
  return { user_id, fallback_time_zone: null } as User;
}

interface Arrival {
  readonly from: Source;
  readonly samples: readonly Json[];
}

const timeText = (minute: number): string => `2026-01-10T09:${String(minute).padStart(2, '0')}:00.000+00:00`;
const type = fc.constantFrom('cholesterol/hdl', 'cholesterol/ldl');
const sample = fc.record({
  timestamp: fc.integer({ min: 0, max: 12 }).map(timeText),
  timezone_offset: fc.constant(0),
  type,
  unit: fc.constantFrom('mmol/L', 'mg/dL'),
  value: fc.integer({ min: 1, max: 3 }),
});
/** A long arrival in the order of time, as providers send it. */
const series = fc
  .record({ type, from: fc.integer({ min: 0, max: 59 }), to: fc.integer({ min: 0, max: 59 }) })
  .map(({ type, from, to }) =>
    Array.from({ length: Math.max(1, to - from) }, (_, index): Json => {
      return { timestamp: timeText(from + index), timezone_offset: 0, type, unit: 'mmol/L', value: 2 };
    }),
  );
const arrival: fc.Arbitrary<Arrival> = fc.record({
  from: fc.record({
    provider: fc.constantFrom('oura', 'garmin'),
    type: fc.constantFrom('ring', 'watch'),
    app_id: fc.constant(null),
    device_id: fc.constant(null),
    sport: fc.constant(null),
    workout_id: fc.constant(null),
  }),
  samples: fc.oneof(fc.array(sample, { minLength: 1, maxLength: 9 }), series),
});

const keyOf = ({ provider, type }: Source, sample: Json): string => [sample.timestamp, provider, type, sample.type].join(' ');

/** Stores an arrival in the service. Returns which samples are new and which have changed. */
function put(user: User, { from, samples }: Arrival) {
  const kept = samplesOf(samples, RESOURCE, from, { user, isFloating: false });
  const { created, updated } = store.put(
    { user: user.user_id, resource: RESOURCE, source: from, sourceId: sourceNumber(database, JSON.stringify(from)) },
    kept,
  );
  return { created: created.map(bodyOf), updated: updated.map(bodyOf) };
}

/** Does the same with a map of samples by key. */
function putInto(model: Map<string, Json>, { from, samples }: Arrival) {
  const news: { created: Json[]; updated: Json[] } = { created: [], updated: [] };
  for (const sample of samples) {
    const known = model.get(keyOf(from, sample));
    if (known === undefined) news.created.push(sample);
    else if (known.unit !== sample.unit || known.value !== sample.value) news.updated.push(sample);
    model.set(keyOf(from, sample), sample);
  }
  return news;
}

/** Returns the samples of all pages. */
function paged(user: User, limit: number): Json[] {
  const found: Json[] = [];
  let after: Position | undefined;
  for (;;) {
    const page = store.page({ user: user.user_id, resource: RESOURCE, from: 0, to: Date.UTC(2027, 0, 1), after, limit });
    found.push(...page.map(({ body }) => body));
    if (page.length < limit) return found;
    after = positionOf(page.at(-1)!);
  }
}

test('each arrival returns what is new and what has changed, and pages have every sample once, in the order of keys', () => {
  fc.assert(
    fc.property(fc.array(arrival, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 9 }), (arrivals, limit) => {
      const user = newUser();
      const model = new Map<string, Json>();
      for (const one of arrivals) expect(put(user, one)).toEqual(putInto(model, one));
      const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sample]) => sample);
      expect(paged(user, limit)).toEqual(expected);
      expect(paged(user, 1000)).toEqual(expected);
    }),
  );
});
