import { tables } from '@aorta/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { views } from '../../../connectors/warehouses/views/views.ts';
import { type LoadedViews, type OpenViews, type Row, rounded } from './loaded-views.ts';

/** Compares the history and the current status of lab orders with a model, for orders whose events come in any order. */

interface LabEvent {
  readonly event_id: number | null;
  readonly created_at: string | null;
  readonly status: string | null;
  readonly status_detail: string | null;
}

interface LabOrder {
  readonly id: string;
  readonly status: string | null;
  readonly events: readonly LabEvent[];
  readonly last: LabEvent;
}

const none: LabEvent = { event_id: null, created_at: null, status: null, status_detail: null };
const CREATED = '2026-03-01T09:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';
const nextDay = '2026-03-02T12:00:00.000Z';
const event = (event_id: number, created_at: string, status: string, status_detail: string | null = null): LabEvent => ({
  event_id,
  created_at,
  status,
  status_detail,
});
const ordered = event(41, noon, 'received.testkit.ordered');
const requested = event(42, noon, 'received.testkit.requisition_created');
const sent = event(43, noon, 'collecting_sample.testkit.transit_customer', 'parcel');
const failed = event(50, nextDay, 'failed.testkit.lost', 'no trace');

/** Returns the permutations of a list. */
const shuffles = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one) => shuffles(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));

type Ending = readonly [event_id: number | null, ended_at: string | null];
interface Case {
  readonly what: string;
  readonly order: LabOrder;
  /** The events in the history, each with the time at which its status ended. */
  readonly history: readonly Ending[];
}

const named = (what: string, events: readonly LabEvent[], last: LabEvent, ...history: Ending[]): Case => ({
  what,
  history,
  order: { id: what, status: 'received', events, last },
});
const undated = (one: LabEvent): LabEvent => ({ ...one, created_at: null });
const unnumbered = (one: LabEvent): LabEvent => ({ ...one, event_id: null });
const nameless = { ...failed, status: null };

const cases: readonly Case[] = [
  ...shuffles([ordered, requested]).map((events, index) =>
    named(`two events in one second, in order ${index}`, events, ordered, [41, noon], [42, null]),
  ),
  ...shuffles([ordered, requested, sent]).map((events, index) =>
    named(`three events in one second, in order ${index}`, events, requested, [41, noon], [42, noon], [43, null]),
  ),
  named('a last event newer than the list', [requested, ordered], failed, [41, noon], [42, nextDay], [50, null]),
  named('a last event older than the list', [failed], ordered, [41, nextDay], [50, null]),
  named('a last event without a list', [], failed, [50, null]),
  named('a last event without an id and without a list', [], unnumbered(failed), [null, null]),
  named('a last event without an id', [ordered], unnumbered(failed), [41, null]),
  named('no events', [], none),
  named('an event twice', [ordered, sent, ordered], sent, [41, noon], [43, null]),
  named('an event with two times', [{ ...failed, event_id: 41 }, ordered, sent], sent, [43, nextDay], [41, null]),
  named('an event without an id in the same second', [ordered, unnumbered(sent)], none, [null, noon], [41, null]),
  named('events without an id', [unnumbered(sent), unnumbered(ordered)], none, [null, noon], [null, null]),
  named('an event without a time', [ordered, undated(failed)], none, [50, noon], [41, null]),
  named('only events without a time', [undated(sent), undated(requested)], none, [43, null]),
  named('an event without a status', [ordered, nameless], nameless, [41, null]),
];

const id = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 8 });
const instant = fc.option(
  fc.constantFrom(noon, '2026-03-01T12:00:01.000Z', '2026-03-01T12:00:01.001Z', '2026-03-04T00:00:00.000Z'),
  { freq: 12 },
);
const randomEvent = fc.record({
  event_id: id,
  created_at: instant,
  status: fc.option(fc.constantFrom('received.testkit.ordered', 'completed.testkit.completed', 'cancelled', 'failed.testkit'), {
    freq: 12,
  }),
  status_detail: fc.option(fc.constantFrom('lost', 'late')),
});
const randomOrders = fc.sample(
  fc.record({
    events: fc.array(randomEvent, { maxLength: 6 }),
    foreign: randomEvent,
    place: fc.nat(8),
    status: fc.constantFrom(null, 'received', 'failed'),
  }),
  { numRuns: 400, seed: 7 },
);
const orders: readonly LabOrder[] = [
  ...cases.map(({ order }) => order),
  // The last event is one of the list, another one, or none.
  ...randomOrders.map(({ events, foreign, place, status }, index) => ({
    id: `random-${index}`,
    status,
    events,
    last: events[place] ?? (place % 2 === 0 ? foreign : none),
  })),
];

const compared = (a: string | number | null, b: string | number | null): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
};

interface Status extends LabEvent {
  readonly ended_at: string | null;
}

/** The statuses of an order from the first to the current one. */
function historyOf({ events, last }: LabOrder): Status[] {
  const all = last.event_id !== null || events.length === 0 ? [last, ...events] : events;
  // Sorting is stable, so events of the same time and id stay in the order of the list.
  const inOrder = all
    .filter(({ status }) => status !== null)
    .toSorted((a, b) => compared(a.created_at, b.created_at) || compared(a.event_id, b.event_id));
  const once = inOrder.filter(
    ({ event_id }, index) => event_id === null || !inOrder.slice(index + 1).some((later) => later.event_id === event_id),
  );
  return once
    .map((one, index) => ({ ...one, ended_at: once[index + 1]?.created_at ?? null }))
    .filter(({ ended_at }, index) => ended_at !== null || index === once.length - 1);
}

function partsOf(status: string | null): Row {
  const [high_level = null, modality = null, low_level = null] = status?.split('.') ?? [];
  return { high_level, modality, low_level };
}

const historyRows = orders.flatMap((one) =>
  historyOf(one).map(({ created_at, ...status }) => ({
    user_id: 'u',
    order_id: one.id,
    ...status,
    ...partsOf(status.status),
    began_at: created_at,
  })),
);
const progressRows = orders.map((one) => {
  const history = historyOf(one);
  const { status, status_detail, created_at } = history.at(-1) ?? none;
  const completed = history.filter((event) => event.created_at !== null && /^completed(\.|$)/.test(event.status!));
  const [completed_at = null] = completed.map((event) => event.created_at).toSorted();
  const turnaround_s = completed_at === null ? null : (Date.parse(completed_at) - Date.parse(CREATED)) / 1000;
  return { order_id: one.id, status, ...partsOf(status ?? one.status), status_detail, since: created_at, turnaround_s };
});

const sorted = (rows: readonly Row[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(rounded(row)).toSorted(([a], [b]) => compared(a, b)))).toSorted();

const wanted = ['lab_orders_events', 'lab_order_history', 'lab_order_progress'];

export function labOrdersSuite(warehouse: string, open: OpenViews): void {
  describe(`lab orders on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      const rows = orders.map(({ id, status, events, last }) => ({
        id,
        user_id: 'u',
        status,
        events,
        created_at: CREATED,
        last_event_id: last.event_id,
        last_event_at: last.created_at,
        last_event_status: last.status,
        last_event_status_detail: last.status_detail,
      }));
      loaded = await open([{ name: 'lab_orders', rows }], (dialect) =>
        views(dialect, tables, tables, {}).filter(({ name }) => wanted.includes(name)),
      );
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test.each(cases)('the history of an order with $what', async ({ order, history }) => {
      const query = "select event_id, ended_at from {lab_order_history} where order_id = '";
      const rows = await loaded.query(`${query}${order.id}'`);
      const texts = (list: readonly Ending[]): string[] => list.map(String).toSorted();
      expect(texts(rows.map(({ event_id, ended_at }) => [event_id, ended_at] as Ending))).toEqual(texts(history));
    });

    test('the history of each order is that of the model', async () => {
      expect(sorted(await loaded.query('select * from {lab_order_history}'))).toEqual(sorted(historyRows));
    });

    test('the current status of each order is the last one of the model', async () => {
      const columns = 'order_id, status, high_level, modality, low_level, status_detail, since, turnaround_s';
      expect(sorted(await loaded.query(`select ${columns} from {lab_order_progress}`))).toEqual(sorted(progressRows));
    });
  });
}
