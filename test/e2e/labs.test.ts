import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  appointment,
  criticalResult,
  device,
  envelope,
  IDENTITY,
  matchReview,
  order,
  parsingJob,
  queryChanges,
  SIGNATURE,
  user,
  WORDS,
} from '../../schemas/events/lab.fixture.ts';
import { Broker, System } from '../faults/system.ts';
import type { TestDelivery } from '../model/delivery.ts';

/** Loads lab events, and other events that contain no wearable data, from one partition into the tables and views. */

const received = Date.UTC(2026, 3, 1, 12);
const log: TestDelivery[] = [];
function deliver(body: unknown, headers: Record<string, string> = {}): void {
  const offset = log.length;
  log.push({ source: 'hub', partition: 0, offset, receivedAt: received + offset * 1000, headers, body });
}

const { user_id: _nobody, client_user_id: _noName, ...review } = envelope('labtest.match_review.created', matchReview);
const reviewHeaders = { 'event-type': 'labtest.match_review.created', 'user-id': 'user-of-headers', 'idempotency-key': 'd1' };

deliver(envelope('labtest.order.updated', order));
// An older version of the order, with a shorter history. Its first delivery failed, so it is received after the newer version.
const older = { ...order, updated_at: '2026-03-05T08:00:00Z', events: order.events.slice(0, 2), last_event: order.events[1] };
deliver(envelope('labtest.order.updated', older));
deliver(envelope('testkit.order.updated', { id: 'order-old', user_id: user, status: 'received' }));
deliver(envelope('labtest.appointment.created', appointment));
deliver(envelope('labtest.appointment.update', { ...appointment, status: 'cancelled' }));
deliver(envelope('labtest.result.critical', criticalResult));
deliver(envelope('labtest.result.critical', { ...criticalResult, status: 'final', updated_at: '2026-03-11T09:00:00Z' }));
deliver(envelope('labtest.result.critical', { ...criticalResult, sample_id: 'SAMPLE-2' }));
deliver({ ...review, data: { ...matchReview, id: 'review-0' } });
deliver(review, reviewHeaders);
deliver(review, reviewHeaders);
deliver(envelope('lab_report.parsing_job.created', { id: 'job-1', status: 'started', data: null }));
deliver(envelope('lab_report.parsing_job.updated', parsingJob));
deliver(envelope('continuous_query.result_table.changed', queryChanges));
deliver(envelope('provider.device.created', device));
deliver(envelope('provider.device.updated', { ...device, device_version: '3.2' }));
deliver(envelope('daily.data.device.created', { id: 'device-2', source: { slug: 'oura', type: 'ring' } }));
deliver(envelope('provider.connection.error', { provider: 'oura', error_type: 'token_refresh_failed' }));
deliver(envelope('provider.connection.updated', { provider: 'oura' }));
deliver(envelope('provider.connection.updated', { provider: 'whoop' }));
deliver(envelope('raw.fitbit.daily_activity_summary', [{ name: IDENTITY }]));
deliver({ type: 'message.attempt.exhausted', data: { msgId: 'd1', lastAttempt: { responseStatusCode: 503 } } });
deliver(envelope('historical.data.menstrual_cycle.created', { provider: 'oura', start_date: '2026-01-01T00:00:00Z' }));

const system = new System();
let rows: (sql: string) => Promise<QueryValue[][]>;
let close: () => Promise<void>;

beforeAll(async () => {
  const broker = new Broker(log);
  // The second run must use the streams of the first run to recognize the redelivered review.
  const fetched = log.findIndex(({ headers }) => headers['idempotency-key'] === 'd1') + 1;
  await system.run(broker.source([{ partition: 0, back: 0, count: fetched }], false));
  const tally = await system.run(broker.source([], true));
  expect(tally).toMatchObject({ unrouted: 0, redelivered: 1, dead_letters: {} });
  const reader = await system.read();
  rows = async (sql) => {
    const found: QueryValue[][] = [];
    for await (const chunk of (await reader.query(sql)).rows) found.push(...chunk.map((row) => [...row]));
    return found;
  };
  close = () => reader.close();
});
afterAll(async () => {
  await close?.();
  system.remove();
});

test('lab_orders has the newest version of an order, and lab_order_progress has its latest status', async () => {
  expect(await rows('select id, updated_at, len(events), icd_codes from lab_orders order by id')).toEqual([
    ['order-1', '2026-03-09T11:30:00.250000Z', 3n, ['E78.5', 'Z00.00']],
    ['order-old', null, 0n, []],
  ]);
  const progress = 'order_id, high_level, modality, low_level, status_detail, since, lab_name';
  expect(await rows(`select ${progress} from lab_order_progress order by all`)).toEqual([
    ['order-1', 'sample_with_lab', 'testkit', 'delivered_to_lab', 'sample_hemolyzed', '2026-03-09T11:30:00Z', 'Good Lab'],
    ['order-old', 'received', null, null, null, null, null],
  ]);
});

test('the history of an order has one row per status', async () => {
  const columns = 'user_id, order_id, event_id, high_level, modality, low_level, status_detail, began_at, ended_at';
  const [ordered, sent, arrived] = ['2026-03-01T09:00:00.000001Z', '2026-03-05T08:00:00Z', '2026-03-09T11:30:00Z'];
  expect(await rows(`select ${columns} from lab_order_history order by began_at`)).toEqual([
    [user, 'order-1', 41n, 'received', 'testkit', 'ordered', null, ordered, sent],
    [user, 'order-1', 43n, 'collecting_sample', 'testkit', 'with_customer', null, sent, arrived],
    [user, 'order-1', 44n, 'sample_with_lab', 'testkit', 'delivered_to_lab', 'sample_hemolyzed', arrived, null],
  ]);
  expect(await rows('select id, ordinal, order_id, parent_id from lab_orders_order_transaction_orders order by ordinal')).toEqual(
    [
      ['order-1', 1n, 'order-0', null],
      ['order-1', 2n, 'order-1', 'order-0'],
    ],
  );
});

test('lab_appointments has the version of an appointment that was received last, with times in UTC', async () => {
  const columns = 'id, status, starts_at, ends_at, round(latitude_deg, 3), len(events)';
  expect(await rows(`select ${columns} from lab_appointments`)).toEqual([
    ['appointment-1', 'cancelled', '2026-04-01T15:00:00Z', '2026-04-01T17:00:00.500000Z', 32.222, 2n],
  ]);
  expect(await rows('select ordinal, created_at, status from lab_appointments_events order by all')).toEqual([
    [1n, '2026-03-28T10:00:00Z', 'pending'],
    [2n, '2026-03-28T12:00:00Z', 'scheduled'],
  ]);
});

test('critical results have one row per sample of an order', async () => {
  expect(await rows('select order_id, sample_id, status from lab_critical_results order by all')).toEqual([
    ['order-1', 'SAMPLE-1', 'final'],
    ['order-1', 'SAMPLE-2', 'partial'],
  ]);
});

test('a match review is loaded even if its user is missing or only in the headers', async () => {
  expect(await rows('select id, user_id, sub_reason_codes from lab_match_reviews order by id')).toEqual([
    ['review-0', '', ['lab_account_mismatch']],
    ['review-1', 'user-of-headers', ['lab_account_mismatch']],
  ]);
  const audit =
    "select user_id, redelivered from deliveries where event_type like 'labtest.match_review.%' order by source_offset";
  expect(await rows(audit)).toEqual([
    [null, false],
    ['user-of-headers', false],
    ['user-of-headers', true],
  ]);
});

test('a lab report has one row per result', async () => {
  expect(await rows('select id, status, needs_human_review, lab_name from lab_report_parsing_jobs')).toEqual([
    ['job-1', 'completed', true, 'Old Lab'],
  ]);
  const columns =
    "ordinal, test_name, value, min_reference_range, is_below_min_range, loinc_matches->0->>'loinc_code', value_type";
  expect(await rows(`select ${columns} from lab_report_parsing_jobs_results order by ordinal`)).toEqual([
    [1n, 'Ferritin', '8.5', 15, true, '2276-4', 'numeric'],
    [2n, 'Appearance', 'clear', null, null, null, null],
  ]);
});

test('continuous_query_rows has one row for each changed row in the result of a query', async () => {
  expect(await rows('select query_slug, row_number, "row" from continuous_query_rows order by row_number')).toEqual([
    ['weekly-steps', 1n, '{"week":"2026-03-23","steps":70123}'],
    ['weekly-steps', 2n, '{"week":"2026-03-30","steps":64001.5}'],
  ]);
  expect(await rows('select ordinal, query_id from continuous_query_results_changes order by ordinal')).toEqual([
    [1n, 'query-1'],
    [2n, 'query-2'],
  ]);
});

test('devices, connections, raw data, failed webhooks and completed pulls reach their tables', async () => {
  expect(await rows('select id, provider, source_type, device_version from devices order by id')).toEqual([
    ['device-1', 'apple_health_kit', 'watch', '3.2'],
    ['device-2', 'oura', 'ring', null],
  ]);
  expect(await rows('select provider, status from connections order by provider')).toEqual([
    ['oura', 'error'],
    ['whoop', 'connected'],
  ]);
  expect(await rows('select user_id, provider, dataset from raw_events')).toEqual([[user, 'fitbit', 'daily_activity_summary']]);
  expect(await rows('select user_id, message_id, last_attempt_status_code from delivery_failures')).toEqual([['', 'd1', 503n]]);
  expect(await rows('select resource, provider from historical_completions')).toEqual([['menstrual_cycle', 'oura']]);
});

test("neither the tables and views nor the file names contain a person's identity", async () => {
  const names = (await rows('show tables')).map(([name]) => String(name));
  expect(names).toContain('lab_report_parsing_jobs_results');
  let text = '';
  for (const name of names) text += (await rows(`select to_json(t)::varchar from ${name} t`)).flat().join('\n');
  expect(text).toContain('E78.5');
  // Free text is landed by default.
  expect(text).toContain(WORDS);
  for (const planted of [IDENTITY, SIGNATURE]) expect(text.includes(planted)).toBe(false);

  const files = globSync('**/*', { cwd: system.folder });
  expect(files.filter((file) => file.includes(IDENTITY) || file.includes(user))).toEqual([]);
  const warehouses = files.filter((file) => basename(file).includes('.duckdb'));
  expect(warehouses.length).toBeGreaterThan(0);
  for (const file of warehouses) {
    const bytes = readFileSync(join(system.folder, file));
    for (const planted of [IDENTITY, SIGNATURE]) expect(bytes.includes(planted), `${file} contains ${planted}`).toBe(false);
  }
  // The streams keep everything, so the tables can be rebuilt with more privacy classes enabled.
  const streams = files.filter((file) => file.startsWith('streams') && file.endsWith('.avro'));
  expect(streams.some((file) => readFileSync(join(system.folder, file)).includes(SIGNATURE))).toBe(true);
});
