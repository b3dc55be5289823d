import type { Answer } from './questions.answers.ts';

/** Lab orders and results for docs/guides/questions.md, and the answers to its questions about them. */

interface LabEvent {
  readonly event_id: number;
  readonly created_at: string;
  readonly status: string;
}

interface LabOrder {
  readonly user_id: string;
  readonly id: string;
  readonly lab_name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_event_status: string;
  readonly events: readonly LabEvent[];
}

interface LabItem {
  readonly name: string;
  readonly slug: string | null;
  readonly interpretation: string | null;
  readonly is_above_max_range: boolean | null;
  readonly is_below_min_range: boolean | null;
  readonly taken_at: string | null;
}

interface LabResult {
  readonly user_id: string;
  readonly order_id: string;
  readonly items: readonly LabItem[];
}

const START = Date.parse('2026-03-01T08:00:00Z');
const HOUR = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

/** An order with its statuses, each with the hours from the order. */
function order(id: string, lab_name: string, statuses: readonly (readonly [status: string, hours: number])[]): LabOrder {
  const created = START + Number(/\d+/.exec(id)![0]) * 7 * HOUR;
  const events = statuses.map(([status, hours], index) => ({
    event_id: index + 1,
    created_at: iso(created + hours * HOUR),
    status,
  }));
  return {
    user_id: `patient-${id}`,
    id,
    lab_name,
    created_at: iso(created),
    updated_at: iso(created + 2000 * HOUR),
    events,
    last_event_status: events.at(-1)!.status,
  };
}

const ordered = ['received.testkit.ordered', 0] as const;
const atLab = ['sample_with_lab.testkit.delivered_to_lab', 30] as const;

export const labOrders: readonly LabOrder[] = [
  // Finished after 40, 42, … 58 hours.
  ...Array.from({ length: 10 }, (_, index) =>
    order(`order-${index}`, 'Alpha', [ordered, atLab, ['completed.testkit.completed', 40 + 2 * index]]),
  ),
  // Open orders would shift the ranks, whether NULL is first or last.
  order('order-16', 'Alpha', [ordered]),
  order('order-17', 'Alpha', [ordered, atLab]),
  // Partial results come before the result, and corrections after it.
  order('order-10', 'Beta', [
    ['received.walk_in_test.ordered', 0],
    ['sample_with_lab.walk_in_test.partial_results', 20],
    ['completed.walk_in_test.completed', 50.5],
    ['completed.walk_in_test.corrected', 900],
  ]),
  order('order-11', 'Beta', [ordered, ['completed.testkit.completed', 70]]),
  // Without a result.
  order('order-12', 'Beta', [ordered, atLab]),
  order('order-13', 'Beta', [ordered, ['cancelled.testkit.cancelled', 5]]),
  order('order-14', 'Beta', [ordered, atLab, ['failed.testkit.sample_error', 60]]),
  order('order-15', 'Gamma', [ordered]),
];

const item = (name: string, day: number | null, more: Partial<LabItem>): LabItem => ({
  name,
  slug: name.toLowerCase(),
  interpretation: null,
  is_above_max_range: null,
  is_below_min_range: null,
  taken_at: day === null ? null : iso(START + day * 24 * HOUR),
  ...more,
});

const above = { is_above_max_range: true, is_below_min_range: false };
const below = { is_above_max_range: false, is_below_min_range: true };
const within = { is_above_max_range: false, is_below_min_range: false };

export const labResults: readonly LabResult[] = [
  // A retest: the second result counts.
  { user_id: 'ada', order_id: 'r1', items: [item('Ferritin', 1, { interpretation: 'abnormal', ...below })] },
  { user_id: 'ada', order_id: 'r2', items: [item('Ferritin', 9, { interpretation: 'normal', ...within })] },
  {
    user_id: 'bo',
    order_id: 'r3',
    items: [
      // Without an interpretation, the range decides. Without both, nothing is known.
      item('Ferritin', 2, { ...above }),
      item('Glucose', 2, { interpretation: 'critical', ...above }),
      item('Potassium', 2, {}),
      // The lab measured the same marker twice. The later element counts.
      item('Sodium', 2, { interpretation: 'abnormal', ...above }),
      item('Sodium', 2, { interpretation: 'normal', ...within }),
    ],
  },
  {
    user_id: 'cy',
    order_id: 'r4',
    items: [
      item('Ferritin', 3, { interpretation: 'unknown', ...within }),
      item('Glucose', 3, { interpretation: 'abnormal', ...below }),
      item('Potassium', 3, { is_above_max_range: false }),
      // A result without a time is not the last one.
      item('Sodium', null, { interpretation: 'critical', ...above }),
    ],
  },
  { user_id: 'cy', order_id: 'r5', items: [item('Sodium', 1, { ...below }), item('Comment', 1, { slug: null })] },
];

/** The shortest time within which a share of the orders is finished. */
const within_ = (sorted: readonly number[], share: number): number | null => sorted[Math.ceil(sorted.length * share) - 1] ?? null;

export function turnaround(): Answer {
  const labs = [...Map.groupBy(labOrders, ({ lab_name }) => lab_name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = labs.map(([lab_name, orders]) => {
    const hours = orders
      .flatMap(({ created_at, events }) => {
        const done = events.filter(({ status }) => status.startsWith('completed.')).map((one) => Date.parse(one.created_at));
        return done.length === 0 ? [] : [(Math.min(...done) - Date.parse(created_at)) / HOUR];
      })
      .toSorted((a, b) => a - b);
    const ended = orders.filter(({ events }) => /^(cancelled|failed)\./.test(events.at(-1)!.status));
    return {
      lab_name,
      orders: orders.length,
      finished: hours.length,
      ended_without: ended.length,
      median_h: within_(hours, 0.5),
      p90_h: within_(hours, 0.9),
    };
  });
  return { rows, digits: { median_h: 1, p90_h: 1 } };
}

function verdictOf({ interpretation, is_above_max_range: high, is_below_min_range: low }: LabItem): string {
  if (interpretation !== null && interpretation !== 'unknown') return interpretation;
  if (high === true || low === true) return 'abnormal';
  return high === false && low === false ? 'normal' : 'unknown';
}

export function abnormalResults(): Answer {
  const all = labResults.flatMap(({ user_id, order_id, items }) =>
    items.map((one, index) => ({
      ...one,
      user_id,
      marker: one.slug ?? one.name,
      order: [one.taken_at ?? '', order_id, String(index)],
    })),
  );
  const last = [...Map.groupBy(all, ({ user_id, marker }) => `${user_id} ${marker}`).values()].map((list) =>
    list.reduce((a, b) => (a.order.join(' ') > b.order.join(' ') ? a : b)),
  );
  const markers = [...Map.groupBy(last, ({ marker }) => marker)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = markers.map(([marker, items]) => {
    const count = (verdict: string): number => items.filter((one) => verdictOf(one) === verdict).length;
    return {
      marker,
      people: items.length,
      abnormal: count('abnormal'),
      critical: count('critical'),
      not_known: count('unknown'),
      above: items.filter((one) => one.is_above_max_range === true).length,
      below: items.filter((one) => one.is_below_min_range === true).length,
    };
  });
  return { rows, digits: {} };
}
