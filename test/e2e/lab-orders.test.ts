import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answered,
  criticalRow,
  historyRows,
  itemRows,
  labTestRow,
  markerRow,
  missingRows,
  orderRow,
  type Row,
  resultsRow,
} from './lab-record.ts';
import { DAY_S, LabScene } from './lab-scene.ts';

/** Orders of all methods take their course in the reference service. The tables must show what the service's API answers. */

const address = { first_line: 'Planted Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' };
const patient = {
  patient_details: {
    ...{ first_name: 'Planted', last_name: 'Patient', dob: '1980-02-03', gender: 'female' },
    ...{ phone_number: '+16025550123', email: 'planted@example.com' },
  },
  patient_address: address,
};
const shipping_details = { ...address, receiver_name: 'Planted Receiver', phone_number: '+16025550123' };
const physician = { first_name: 'Planted', last_name: 'Physician', npi: '1234567893' };

let scene: LabScene;
/** The client user ids by user. */
const clientIds = new Map<string, string>();
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
const steps = (...all: [status: string, days: number, detail?: string][]) => ({
  steps: all.map(([status, days, status_detail = null]) => ({ status, after: days * DAY_S, status_detail })),
});

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
  for (const name of ['planted-1', 'planted-2', 'planted-3'])
    clientIds.set((await scene.api('/v2/user', { client_user_id: name })).user_id, name);
  const [first, second, third] = [...clientIds.keys()] as [string, string, string];
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

  await scene.pass(1);
  await scene.api(`/v3/order/${ids['cancelled late']}/cancel`, {});
  const { sample_id } = await scene.api(`/v3/order/${ids.registered}`);
  await scene.api('/v3/order/testkit/register', { user_id: third, sample_id, ...patient });
  for (const days of [2, 5, 23]) {
    await scene.pass(days);
    await expectResults();
    const row = (await scene.rows('lab_results', 'order_id')).find(({ order_id }) => order_id === ids.corrected);
    loads.push({ status: row!.status, results: (row!.items as Answered[]).map(({ result }) => result) });
  }
});
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Sorts rows by columns, as SQL does. */
const by =
  (...names: string[]) =>
  (a: Row, b: Row): number => {
    const name = names.find((one) => a[one] !== b[one]) ?? names[0]!;
    return (a[name] as string) < (b[name] as string) ? -1 : 1;
  };

async function expectResults(): Promise<void> {
  const { withResults } = await scene.record();
  const found = await scene.rows('lab_results', 'order_id');
  const inOrder = (rows: readonly Row[], ...names: string[]) => rows.toSorted(by('order_id', ...names));
  expect(found.map(({ items: _, missing: __, ...row }) => row)).toEqual(
    inOrder(withResults.map(([order, answer]) => resultsRow(order, answer))),
  );
  const items = withResults.flatMap(([order, answer]) => itemRows(order, answer));
  expect(await scene.rows('lab_results_items', 'order_id, ordinal')).toEqual(inOrder(items, 'ordinal'));
  const missing = withResults.flatMap(([order, answer]) => missingRows(order, answer));
  expect(await scene.rows('lab_results_missing', 'order_id, ordinal')).toEqual(inOrder(missing, 'ordinal'));
}

test('lab_orders has every order as the service has it', async () => {
  const { orders } = await scene.record();
  expect(orders.length).toBeGreaterThan(20);
  const expected = orders.map((one) => orderRow(one, clientIds));
  expect(await scene.rows('lab_orders', 'id')).toEqual(expected.sort(by('id')));
});

test('lab_order_history has every status of every order', async () => {
  const { orders } = await scene.record();
  const expected = orders.flatMap(historyRows);
  expect(await scene.rows('lab_order_history', 'order_id, event_id')).toEqual(expected.sort(by('order_id', 'event_id')));
});

test('each order with results has them as the service has them, and no other order has any', async () => {
  await expectResults();
  const { orders, results } = await scene.record();
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

test('lab_critical_results has the orders with critical results', async () => {
  const { withResults } = await scene.record();
  const critical = withResults.filter(([{ interpretation }]) => interpretation === 'critical');
  expect(critical.map(([{ id }]) => id)).toEqual(expect.arrayContaining([ids.critical, ids['critical at once']]));
  const expected = critical.map(([one, answer]) => criticalRow(one, answer, clientIds));
  expect(await scene.rows('lab_critical_results', 'order_id')).toEqual(expected.sort(by('order_id')));
});

test('lab_tests and lab_markers have the catalogue, with the lab test that the service made of an order set', async () => {
  const { data } = await scene.api('/v3/lab_test?lab_test_limit=100&generation_method=all');
  expect(data.filter(({ auto_generated }: Answered) => auto_generated)).toHaveLength(1);
  expect(await scene.rows('lab_tests', 'id')).toEqual(data.map(labTestRow).sort(by('id')));
  const { markers, total } = await scene.api('/v3/lab_tests/markers?size=100');
  expect(markers).toHaveLength(total);
  expect(await scene.rows('lab_markers', 'marker_id')).toEqual(markers.map(markerRow).sort(by('marker_id')));
});

test('deliveries were lost, repeated and late, and none became a dead letter', async () => {
  const { faults } = await scene.control('/faults');
  for (const { used, effect } of faults) expect(used, effect.kind).toBeGreaterThan(5);
  const counts = 'count(*) filter (redelivered) as redelivered, count(*) filter (dead_letter_reason is not null) as refused';
  const [row] = await scene.rows(`(select ${counts} from deliveries)`, 'redelivered');
  expect(row).toEqual({ redelivered: expect.toSatisfy((n) => n > 5), refused: 0 });
});

test('by default, the tables hold nothing that identifies a patient or a physician, and no signed address', async () => {
  const planted = ['Planted', 'planted@', '6025550123', '1980-02-03', '1234567893', 'requisition_forms', 'parcels.'];
  const { orders } = await scene.record();
  for (const text of planted) expect(JSON.stringify(orders)).toContain(text);
  for (const table of ['lab_orders', 'lab_results', 'lab_critical_results']) {
    const found = JSON.stringify(await scene.rows(table, '1'));
    for (const text of planted) expect(found, table).not.toContain(text);
  }
});
