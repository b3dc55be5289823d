import { afterAll, beforeAll, expect, test } from 'vitest';
import { courseOf, patient } from '../reference-service/lab-orders.ts';
import { type LabRecord, labRows, reportRow } from '../reference-service/record/labs.ts';
import { emptyTables } from '../reference-service/record/record.ts';
import type { Answered, Row } from '../reference-service/record/row.ts';
import { DAY_S, LabScene } from './lab-scene.ts';

/** Orders of all methods take their course in the reference service. The tables must show what the service's API answers. */

const shipping_details = { ...patient.patient_address, receiver_name: 'Planted Receiver', phone_number: '+16025550123' };
const physician = { first_name: 'Planted', last_name: 'Physician', npi: '1234567893' };

let scene: LabScene;
let record: LabRecord;
/** The parsing jobs of reports. */
const jobs: string[] = [];
/** The orders by their part in the tests. */
const ids: Record<string, string> = {};
/** The results of the order `corrected` whenever Aorta had loaded everything. */
const loads: { readonly status: unknown; readonly results: readonly unknown[] }[] = [];

interface Given {
  readonly user: string;
  readonly labTests: readonly string[];
  /** More members of the request. */
  readonly more?: object;
  /** The order takes this course, and has such results. */
  readonly script?: object;
}

async function order(name: string, { user, labTests: lab_test_ids, more, script }: Given): Promise<void> {
  const made = await scene.api('/v3/order', { user_id: user, order_set: { lab_test_ids }, ...patient, ...more });
  ids[name] = made.order.id;
  if (script !== undefined) await scene.control('/orders/script', { order_id: ids[name], ...script });
}

/** A script of low levels, each so many days after the one before. */
const steps = (...all: [status: string, days: number, detail?: string][]) =>
  courseOf(...all.map(([status, days, detail]): [string, number, string | undefined] => [status, days * DAY_S, detail]));

/** Deliveries are lost, sent twice and sent in another order. */
async function addFaults(): Promise<void> {
  const faulty = { on: 'delivery', match: { event_type_prefix: 'labtest.' } };
  await scene.control('/faults', { ...faulty, effect: { kind: 'lose', status: 503 }, probability: 0.2 });
  await scene.control('/faults', { ...faulty, effect: { kind: 'duplicate' }, probability: 0.2 });
  await scene.control('/faults', { ...faulty, effect: { kind: 'reorder', behind: 1 }, probability: 0.1 });
}

beforeAll(async () => {
  scene = await LabScene.open();
  await addFaults();
  const users: string[] = [];
  for (const client_user_id of ['planted-1', 'planted-2', 'planted-3'])
    users.push((await scene.api('/v2/user', { client_user_id })).user_id);
  const [first, second, third] = users as [string, string, string];
  const { data } = await scene.api('/v3/lab_test?lab_test_limit=100&status=active');
  const asksNothing = ({ markers }: Answered) => markers.every(({ aoe }: Answered) => aoe === null);
  const simple: Answered[] = data.filter(asksNothing);
  const [walkIn, atHome, testkit, onSite] = ['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'].map(
    (method) => simple.find((one) => one.method === method).id,
  );

  for (const { id } of simple) await order(`own course of ${id}`, { user: first, labTests: [id] });

  const [begin, drawn] = [
    ['requisition_created', 0.1],
    ['draw_completed', 1],
  ] as [string, number][];
  const failing = steps(begin!, ['sample_error', 3, 'sample_hemolyzed']);
  await order('failed', { user: second, labTests: [walkIn], script: failing });
  await order('lost', { user: second, labTests: [testkit], script: steps(begin!, ['transit_customer', 1], ['lost', 5]) });
  const correcting = steps(begin!, drawn!, ['partial_results', 1], ['completed', 4], ['corrected', 6]);
  await order('corrected', { user: second, labTests: [atHome], script: { interpretation: 'abnormal', ...correcting } });
  const alarming = steps(begin!, drawn!, ['partial_results', 1], ['completed', 4]);
  await order('critical', { user: second, labTests: [onSite], script: { interpretation: 'critical', ...alarming } });
  await order('critical at once', { user: second, labTests: [walkIn], script: { interpretation: 'critical' } });
  await order('missing', { user: second, labTests: [atHome], script: { has_missing_results: true } });

  const ofOneLab = Object.values(Object.groupBy(simple, ({ method, lab }) => `${method} ${lab.id}`));
  const set = ofOneLab.find((some) => some!.length > 1)!.slice(0, 2);
  const notes = { icd_codes: ['E78.5', 'Z00.00'], clinical_notes: 'fasting since 8', passthrough: 'ticket 7' };
  await order('set', { user: third, labTests: set.map(({ id }) => id), more: { priority: true, physician, ...notes } });
  await order('scheduled', { user: third, labTests: [walkIn], more: { activate_by: '2026-01-10' } });
  await order('later', { user: third, labTests: [walkIn], more: { activate_by: '2026-06-01' } });
  await order('cancelled early', { user: third, labTests: [atHome] });
  await order('cancelled late', { user: third, labTests: [testkit] });
  await scene.api(`/v3/order/${ids['cancelled early']}/cancel`, {});
  await order('simulated', { user: third, labTests: [atHome] });
  await scene.api(`/v3/order/${ids.simulated}/test`, { interpretation: 'abnormal', has_missing_results: true });
  await order('simulated failure', { user: third, labTests: [walkIn] });
  await scene.api(`/v3/order/${ids['simulated failure']}/test?final_status=failed.walk_in_test.sample_error`, {});
  for (const passthrough of ['registered', 'unregistered']) {
    const made = await scene.api('/v3/order/testkit', { user_id: third, lab_test_id: testkit, shipping_details, passthrough });
    ids[passthrough] = made.order.id;
  }

  await scene.sendUnmatched(3);
  for (const content of ['%PDF-', 'no report']) jobs.push(await scene.upload(third, content));

  await scene.pass(1);
  const [rejected, accepted] = (await scene.api('/v3/unmatched_result')).data;
  await scene.api(`/v3/unmatched_result/${rejected.id}/resolve`, { action: 'reject' });
  await scene.api(`/v3/unmatched_result/${accepted.id}/accept`, { user_id: third });
  await scene.api(`/v3/order/${ids['cancelled late']}/cancel`, {});
  const { sample_id } = await scene.api(`/v3/order/${ids.registered}`);
  await scene.api('/v3/order/testkit/register', { user_id: third, sample_id, ...patient });
  for (const days of [2, 5, 23]) {
    await scene.pass(days);
    record = await scene.record();
    expect(await scene.differences(await rows())).toEqual([]);
    const row = (await scene.select('select * from lab_results')).find(({ order_id }) => order_id === ids.corrected);
    loads.push({ status: row!.status, results: (row!.items as Answered[]).map(({ result }) => result) });
  }
});
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Returns the rows that all tables about labs must have. */
async function rows(): Promise<Map<string, Row[]>> {
  const { user_id, team_id } = record.orders.find(({ id }) => id === ids.scheduled);
  const subject = { user_id, team_id, client_user_id: record.clientIds.get(user_id) };
  const reports = await Promise.all(jobs.map((id) => scene.api(`/lab_report/v1/parser/job/${id}`)));
  return new Map([...labRows(record), ['lab_report_parsing_jobs', reports.map((job) => reportRow(subject, job))]]);
}

test('the tables about labs have what the service has, and none of them is empty', async () => {
  const all = await rows();
  expect(emptyTables(all)).toEqual([]);
  const { orders, labTests } = record;
  expect(orders.length).toBeGreaterThan(20);
  expect(labTests.filter(({ auto_generated }) => auto_generated)).toHaveLength(1);
});

test('the comparison names the table, the row and the column of each difference', async () => {
  const all = await rows();
  const [first, second, ...others] = all.get('lab_tests')!;
  const changed = [{ ...first, price: 0.5 }, { ...first, id: 'unknown' }, ...others];
  expect(await scene.differences(all.set('lab_tests', changed))).toEqual([
    `lab_tests [${first!.id}] price: ${first!.price}, but the service has 0.5`,
    'lab_tests [unknown]: the row is missing',
    `lab_tests [${second!.id}]: the service has no such row`,
  ]);
});

test('orders have results of all types, and orders that have failed or wait have none', () => {
  const { orders, results } = record;
  const types = [...results.values()].flatMap((answer) => answer.results.map(({ type }: Answered) => type));
  expect(new Set(types)).toEqual(new Set(['numeric', 'range', 'comment', 'coded_value']));
  expect(orders.filter(({ id }) => !results.has(id)).map(({ last_event }) => last_event.status)).toEqual([
    'failed.walk_in_test.sample_error',
    'failed.testkit.lost',
    'received.walk_in_test.ordered',
    'cancelled.at_home_phlebotomy.cancelled',
    'cancelled.testkit.cancelled',
    'failed.walk_in_test.sample_error',
    'received.testkit.awaiting_registration',
  ]);
  for (const name of ['missing', 'simulated']) expect(results.get(ids[name]!).missing_results).not.toEqual([]);
});

test('final results replace partial ones, and corrected results replace final ones', () => {
  expect(loads.map(({ status }) => status)).toEqual(['partial', 'final', 'final']);
  const [partial, final, corrected] = loads.map(({ results }) => results) as [unknown[], unknown[], unknown[]];
  expect(final.slice(0, partial.length)).toEqual(partial);
  expect(final.length).toBeGreaterThan(partial.length);
  expect(corrected).not.toEqual(final);
});

test('the orders with critical results are critical', () => {
  const critical = record.orders.filter(({ interpretation }) => interpretation === 'critical').map(({ id }) => id);
  expect(critical).toEqual(expect.arrayContaining([ids.critical, ids['critical at once']]));
});

test('deliveries were lost, repeated and late, and none became a dead letter', async () => {
  const { faults } = await scene.control('/faults');
  for (const { used, effect } of faults) expect(used, effect.kind).toBeGreaterThan(5);
  const counts = 'count(*) filter (redelivered) as redelivered, count(*) filter (dead_letter_reason is not null) as refused';
  const [row] = await scene.select(`select ${counts} from deliveries`);
  expect(row).toEqual({ redelivered: expect.toSatisfy((n) => n > 5), refused: 0 });
});

test('by default, the tables hold nothing that identifies a patient or a physician, and no signed address', async () => {
  const planted = ['Planted', 'planted@', '6025550123', '1980-02-03', '1234567893', 'requisition_forms', 'parcels.'];
  for (const text of planted) expect(JSON.stringify(record.orders)).toContain(text);
  for (const table of ['lab_orders', 'lab_results', 'lab_critical_results', 'lab_appointments', 'lab_report_parsing_jobs']) {
    const found = JSON.stringify(await scene.select(`select * from ${table}`));
    for (const text of planted) expect(found, table).not.toContain(text);
  }
});
