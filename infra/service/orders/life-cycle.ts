import { type CollectionMethod, collectionMethods } from '../labs/laboratories.ts';

/** The statuses of orders, and the course that an order takes by itself. */

export const topLevels = ['received', 'collecting_sample', 'sample_with_lab', 'completed', 'cancelled', 'failed'] as const;
export type TopLevel = (typeof topLevels)[number];

type Levels = Readonly<Partial<Record<TopLevel, readonly string[]>>>;

const received = ['ordered', 'requisition_created', 'requisition_bypassed'];
const ends = { completed: ['completed', 'corrected'], failed: ['sample_error'], cancelled: ['cancelled'] };

/** The low levels of each top level. */
const levels: Readonly<Record<CollectionMethod, Levels>> = {
  walk_in_test: {
    received,
    collecting_sample: ['appointment_pending', 'appointment_scheduled', 'appointment_cancelled', 'redraw_available'],
    sample_with_lab: ['partial_results'],
    ...ends,
  },
  at_home_phlebotomy: {
    received,
    collecting_sample: ['appointment_pending', 'appointment_scheduled', 'draw_completed', 'appointment_cancelled'],
    sample_with_lab: ['partial_results'],
    ...ends,
  },
  testkit: {
    received: [...received, 'awaiting_registration', 'registered'],
    collecting_sample: [
      'transit_customer',
      'out_for_delivery',
      'with_customer',
      'transit_lab',
      'problem_in_transit_customer',
      'problem_in_transit_lab',
    ],
    sample_with_lab: ['delivered_to_lab', 'lab_processing_blocked'],
    completed: ends.completed,
    failed: ['failure_to_deliver_to_customer', 'failure_to_deliver_to_lab', 'sample_error', 'lost'],
    cancelled: ['cancelled', 'do_not_process'],
  },
  on_site_collection: { received, sample_with_lab: ['draw_completed', 'partial_results'], ...ends },
};

/** Why an order has a status. */
export const statusDetails = [
  'fulfillment_error',
  'date_of_collection_unspecified',
  'demographic_information_unspecified',
  'demographic_information_mismatch',
  'sample_quantity_not_sufficient',
  'sample_contaminated',
  'sample_stability_exceeded',
  'sample_hemolyzed',
  'sample_improper_collection',
] as const;

/** Returns the low-level statuses that orders of a method can have. */
export function lowLevelsOf(method: CollectionMethod): readonly string[] {
  return Object.values(levels[method]).flat();
}

/** The low-level statuses of all methods. */
export const lowLevels: readonly string[] = [...new Set(collectionMethods.flatMap(lowLevelsOf))];

/** The whole statuses, such as `received.testkit.ordered`. */
export const statuses: readonly string[] = collectionMethods.flatMap((method) =>
  lowLevelsOf(method).map((low) => statusOf(method, low)),
);

/** Returns the top level of a low level; undefined if orders of this method cannot have it. */
export function topLevelOf(method: CollectionMethod, low: string): TopLevel | undefined {
  return topLevels.find((top) => levels[method][top]?.includes(low));
}

/** Returns the whole status of a low level that orders of this method can have. */
export function statusOf(method: CollectionMethod, low: string): string {
  return `${topLevelOf(method, low)}.${method}.${low}`;
}

/** Returns the low level of a whole status. */
export function lowLevelOf(status: string): string {
  return status.slice(status.lastIndexOf('.') + 1);
}

/** Returns whether an order may go from one low level to another. Cancelled and failed orders have ended, completed ones may be corrected. */
export function mayFollow(method: CollectionMethod, from: string, to: string): boolean {
  const top = topLevelOf(method, from);
  if (topLevelOf(method, to) === undefined || to === 'ordered' || top === 'cancelled' || top === 'failed') return false;
  return top === 'completed' ? to === 'corrected' : to !== 'corrected';
}

/** Returns whether an order can still be cancelled: the laboratory does not have the sample, and it is not on the way there. */
export function isCancellable(method: CollectionMethod, low: string): boolean {
  const top = topLevelOf(method, low);
  return (
    top === 'received' ||
    (top === 'collecting_sample' && !['draw_completed', 'transit_lab', 'problem_in_transit_lab'].includes(low))
  );
}

/** The low levels at which an order has results. */
export const withResults: readonly string[] = ['partial_results', 'completed', 'corrected'];

/** A change of status that is still to come. */
export interface Step {
  /** Low level. */
  readonly status: string;
  /** Milliseconds after the step before. */
  readonly after: number;
  readonly detail?: (typeof statusDetails)[number] | null | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The course of each method after `ordered`: each low level, and how long it takes at least to reach it. */
const courses: Readonly<Record<CollectionMethod, readonly (readonly [status: string, after: number])[]>> = {
  walk_in_test: [
    ['requisition_created', 2 * MINUTE_MS],
    ['partial_results', 2 * DAY_MS],
    ['completed', 20 * HOUR_MS],
  ],
  at_home_phlebotomy: [
    ['requisition_created', 2 * MINUTE_MS],
    ['appointment_pending', DAY_MS],
    ['appointment_scheduled', HOUR_MS],
    ['draw_completed', DAY_MS],
    ['partial_results', DAY_MS],
    ['completed', 20 * HOUR_MS],
  ],
  testkit: [
    ['registered', MINUTE_MS],
    ['requisition_created', 2 * MINUTE_MS],
    ['transit_customer', 18 * HOUR_MS],
    ['out_for_delivery', 2 * DAY_MS],
    ['with_customer', 5 * HOUR_MS],
    ['transit_lab', 2 * DAY_MS],
    ['delivered_to_lab', 2 * DAY_MS],
    ['completed', 2 * DAY_MS],
  ],
  on_site_collection: [
    ['requisition_created', 2 * MINUTE_MS],
    ['draw_completed', DAY_MS],
    ['partial_results', DAY_MS],
    ['completed', 20 * HOUR_MS],
  ],
};

/** Statuses beside the course, and those from which it goes on. From all others, it goes on with the next top level. */
const beside: Readonly<Record<string, string>> = {
  requisition_bypassed: 'requisition_created',
  problem_in_transit_lab: 'transit_lab',
  lab_processing_blocked: 'delivered_to_lab',
};

/** A kit that is registered by its sample id is with the customer already. */
const shipping = ['transit_customer', 'out_for_delivery', 'with_customer'];

interface Wanted {
  /**
   * Decide how long each step takes, up to one and a half times as long as the shortest. The last one decides whether there are
   * partial results.
   */
  readonly bytes: Uint8Array;
  /** The low level at which the course ends. Default: completed. */
  readonly to?: string;
  /** Whether the order is for a kit that the customer registers. */
  readonly isRegistrable?: boolean;
}

/** Returns the course of an order after a low level. It has no steps if the order cannot reach the end any more. */
export function courseOf(
  method: CollectionMethod,
  from: string,
  { bytes, to = 'completed', isRegistrable = false }: Wanted,
): Step[] {
  const hasEnded = topLevels.indexOf(topLevelOf(method, from)!) >= topLevels.indexOf('completed');
  if (hasEnded && !mayFollow(method, from, to)) return [];
  const steps: Step[] = [];
  let waited = 0;
  for (const [index, [status, least]] of courses[method].entries()) {
    const after = Math.round(least * (1 + (bytes[index] ?? 0) / 512)) + waited;
    waited = 0;
    if (index < doneOf(method, from)) continue;
    if (status === to || !isSkipped(status)) steps.push({ status, after });
    // Complete results without partial ones take as long.
    else if (status === 'partial_results') waited = after;
  }
  const end = steps.findIndex(({ status }) => status === to);
  if (end !== -1) return steps.slice(0, end + 1);
  return [...steps.filter(({ status }) => comesBefore(method, status, to)), { status: to, after: HOUR_MS }];

  function isSkipped(status: string): boolean {
    if (status === 'registered') return !isRegistrable;
    if (status === 'partial_results') return (bytes.at(-1) ?? 0) % 3 !== 0;
    return isRegistrable && shipping.includes(status);
  }
}

/** Returns how many steps of the course an order with a low level has behind it. */
function doneOf(method: CollectionMethod, low: string): number {
  const course = courses[method];
  const at = course.findIndex(([status]) => status === (beside[low] ?? low));
  return at !== -1 ? at + 1 : course.filter(([status]) => rank(method, status) < rank(method, low)).length;
}

/** Returns whether a step of the course comes before a status that no order reaches by itself, such as a failure. */
function comesBefore(method: CollectionMethod, step: string, end: string): boolean {
  const last = { failed: 'collecting_sample', cancelled: 'received' }[topLevelOf(method, end) as string];
  if (last !== undefined) return rank(method, step) <= topLevels.indexOf(last as TopLevel);
  return end === 'corrected' || rank(method, step) < rank(method, end);
}

/** The order of top levels in a course. */
const rank = (method: CollectionMethod, low: string): number => topLevels.indexOf(topLevelOf(method, low)!);
