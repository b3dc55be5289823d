import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { delivery, ListSource } from '../../connectors/delivery.fixture.ts';
import { MemoryLog } from '../../pipelines/ingestion/memory-log.fixture.ts';

/** Sends event types that begin like those of a stream, but end differently. They must reach no table. */

const folder = mkdtempSync(join(tmpdir(), 'aorta-endings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Written by hand from the service's catalogue and from the types that Aorta creates: what each stream reads after its prefixes. */
const data = ['created', 'updated', 'backfilled'];
const reads: Readonly<Record<string, readonly string[]>> = {
  'daily.data.activity.': data,
  'daily.data.body.': data,
  'daily.data.electrocardiogram.': data,
  'daily.data.meal.': data,
  'daily.data.menstrual_cycle.': data,
  'daily.data.profile.': data,
  'daily.data.sleep.': data,
  'daily.data.sleep_cycle.': data,
  'daily.data.workouts.': data,
  'daily.data.workout_stream.': [...data, 'unavailable'],
  'daily.workout_stream.': [...data, 'unavailable'],
  'daily.data.heartrate.': data,
  'daily.data.glucose.': data,
  'daily.data.hypnogram.': data,
  'daily.data.blood_pressure.': data,
  'daily.data.note.': data,
  'historical.data.sleep.': ['created'],
  'historical.data.heartrate.': ['created'],
  'provider.connection.': ['created', 'error', 'updated'],
  'provider.device.': ['created', 'updated'],
  'daily.data.device.': ['created', 'updated'],
  'labtest.order.': data,
  'testkit.order.': data,
  'labtest.appointment.': ['created', 'updated', 'update'],
  'labtest.result.': ['critical'],
  'labtest.match_review.': ['created', 'updated'],
  'lab_report.parsing_job.': ['created', 'updated'],
  'continuous_query.result_table.': ['changed'],
  'message.attempt.': ['exhausted'],
  'service.user.': ['polled'],
  'service.user_state.': ['present', 'missing'],
  'service.connection.': ['polled'],
  'service.resource.': ['polled'],
  'service.marker.': ['polled'],
  'service.lab_test.': ['polled'],
  'service.lab_result.': ['fetched', 'not_fetched'],
  'service.workout_stream.': ['fetched', 'not_fetched'],
  'service.backfill.': ['finished'],
};
const prefixes = Object.keys(reads);
const known = [...new Set(Object.values(reads).flat())];

const word = fc.oneof(
  fc.constantFrom(
    'deleted',
    'failed',
    'unavailable',
    'error',
    'v2',
    'create',
    'createdx',
    'xcreated',
    'created\n',
    ' created',
    '',
  ),
  fc.constantFrom(...known),
  fc.string({ unit: fc.constantFrom('a', 'Z', '_', '7', '-', ' ', '{', '*', '|'), maxLength: 8 }),
);
/** Changes one ending into another. */
const change = fc.oneof(
  word.map((other) => () => other),
  word.map((more) => (ending: string) => `${ending}.${more}`),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((between) => (ending: string) => [...between, ending].join('.')),
  fc.constantFrom(
    (ending: string) => ending.toUpperCase(),
    (ending: string) => `${ending[0]!.toUpperCase()}${ending.slice(1)}`,
    (ending: string) => ending.slice(0, -1),
    (ending: string) => `.${ending}`,
  ),
);
const otherType = fc
  .constantFrom(...prefixes)
  .chain((prefix) =>
    fc.record({ ending: fc.constantFrom(...reads[prefix]!), change }).map((one) => ({ prefix, ending: one.change(one.ending) })),
  )
  .filter(({ prefix, ending }) => !reads[prefix]!.includes(ending))
  .map(({ prefix, ending }) => `${prefix}${ending}`);

/** Data that some reader of every kind would accept: an id, samples, a provider, an order, points of a workout. */
const bodyData = {
  id: 'a-1',
  order_id: 'o-1',
  sample_id: 's-1',
  workout_id: 'w-1',
  user_id: 'u',
  marker_id: 1,
  provider: 'oura',
  source: { provider: 'oura', type: 'ring' },
  slug: 'oura',
  resource: 'sleep',
  from_day: '2026-03-01',
  to_day: '2026-03-02',
  data: [{ timestamp: '2026-03-28T12:00:00Z', unit: 'bpm', value: 60 }],
  stream: { time: [1], heartrate: [60] },
};

test('an event type with another ending, and its redelivery, goes whole to `unrouted` or `redelivered`, and to no other stream', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(otherType, { minLength: 1, maxLength: 12 }), async (types) => {
      const log = new MemoryLog();
      const window = await openRedeliveryWindow({ folder: join(folder, String(run++)), log });
      const sent = types.map((event_type, offset) =>
        delivery({
          offset,
          body: Buffer.from(JSON.stringify({ event_type, user_id: 'u', data: bodyData })),
          headers: { 'idempotency-key': `id-${offset}` },
        }),
      );
      const again = sent.map((one, index) => ({ ...one, offset: sent.length + index }));
      const { tally } = await consume(new ListSource([sent, again]), log, { window });
      expect(tally).toMatchObject({
        received: 2 * sent.length,
        redelivered: sent.length,
        unrouted: sent.length,
        streams: {},
        dead_letters: {},
        partial: {},
      });
      expect(log.streams()).toEqual(['redelivered', 'unrouted']);
      expect(log.all('unrouted').map(({ event_type, body }) => [event_type, body.toString()])).toEqual(
        sent.map(({ body }, index) => [types[index], body.toString()]),
      );
    }),
  );
});
