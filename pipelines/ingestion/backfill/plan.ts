import { type SummaryResource, summaryResources } from '@aorta/connectors/service';
import { timeseriesResources } from '@aorta/schemas';

const DAY_MS = 86_400_000;

/** A local date begins up to 14 hours earlier than the same date in UTC, and ends up to 12 hours later. */
const EARLIEST_MS = 14 * 3_600_000;

const LATEST_MS = 12 * 3_600_000;

interface Piece {
  /** The range to request: dates for summaries, instants for samples. */
  readonly range: Dates;
  /**
   * Dates whose objects are counted in this part of the range. Unlike `range`, they never overlap with those of another part.
   * The first part has no earliest date, and the last part has no latest date.
   */
  readonly own: Dates;
}

/** One request of a backfill. The response may have several pages. */
export type Step =
  | { readonly kind: 'user' }
  | { readonly kind: 'profiles'; readonly resource: 'profile' }
  | { readonly kind: 'orders' }
  | (Piece & { readonly kind: 'summaries'; readonly resource: SummaryResource })
  /** Requests the workouts again, so that the job for workout streams fetches their streams. */
  | (Piece & { readonly kind: 'streams'; readonly resource: typeof WORKOUT_STREAM })
  | (Piece & { readonly kind: 'samples'; readonly resource: string; readonly path: string });

const WORKOUT_STREAM = 'workout_stream';

/** Resources whose names in API paths differ from their names in events. */
const namesInPaths: Readonly<Record<string, string>> = { fat: 'body_fat', weight: 'body_weight' };

/** All resources that a backfill can fetch. */
export const backfillResources: readonly string[] = [
  'profile',
  'orders',
  ...summaryResources,
  WORKOUT_STREAM,
  ...timeseriesResources.filter(({ retired }) => retired !== true).map(({ resource }) => resource),
];

export interface WhatToBackfill extends Dates {
  /** A subset of {@link backfillResources}. Default: all. */
  readonly resources?: readonly string[] | undefined;
  /** Maximum number of days in one request. */
  readonly days: number;
}

/**
 * Returns the steps of a backfill in order. The result depends only on the request, so the same request always has the same
 * step indexes.
 */
export function planBackfill({ from, to, days, resources = backfillResources }: WhatToBackfill): readonly Step[] {
  const wanted = new Set(resources);
  const pieces = piecesOf({ from, to }, days).map((range, index, all): Piece => {
    const [first, last] = [index === 0, index === all.length - 1];
    return { range, own: { from: first ? '' : range.from, to: last ? '9999-12-31' : range.to } };
  });
  return [
    { kind: 'user' },
    ...(wanted.has('profile') ? [{ kind: 'profiles', resource: 'profile' } as const] : []),
    ...(wanted.has('orders') ? [{ kind: 'orders' } as const] : []),
    ...summaryResources
      .filter((resource) => wanted.has(resource))
      .flatMap((resource) => pieces.map((piece) => ({ kind: 'summaries', resource, ...piece }) as const)),
    ...(wanted.has(WORKOUT_STREAM)
      ? pieces.map((piece) => ({ kind: 'streams', resource: WORKOUT_STREAM, ...piece }) as const)
      : []),
    ...timeseriesResources
      .filter(({ resource, retired }) => retired !== true && wanted.has(resource))
      .flatMap(({ resource }) =>
        pieces.map(({ range, own }) => {
          const path = namesInPaths[resource] ?? resource;
          return { kind: 'samples', resource, path, range: instantsOf(range), own } as const;
        }),
      ),
  ];
}

/** Returns the resource whose objects a step counts; undefined if it counts none. */
export function resourceOf(step: Step | undefined): string | undefined {
  return step !== undefined && 'resource' in step ? step.resource : undefined;
}

/** A range of calendar dates, YYYY-MM-DD. Both ends are included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Returns the instant at which a date begins in UTC, in milliseconds since 1970; NaN if the text is not a date. */
export function beginningOf(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  // `Date.parse` accepts 2026-02-30 and returns a date in March.
  return Number.isNaN(milliseconds) || dateOf(milliseconds) !== date ? Number.NaN : milliseconds;
}

export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Splits the range into parts of `days` days. The last part may be shorter. */
export function piecesOf({ from, to }: Dates, days: number): Dates[] {
  const pieces: Dates[] = [];
  const end = beginningOf(to);
  for (let at = beginningOf(from); at <= end; at += days * DAY_MS)
    pieces.push({ from: dateOf(at), to: dateOf(Math.min(end, at + (days - 1) * DAY_MS)) });
  return pieces;
}

/**
 * Returns the earliest and latest instants that the dates can cover in any time zone, as ISO 8601 in UTC. Adjacent ranges
 * overlap, so no instant is lost.
 */
export function instantsOf({ from, to }: Dates): Dates {
  return {
    from: new Date(beginningOf(from) - EARLIEST_MS).toISOString(),
    to: new Date(beginningOf(to) + DAY_MS + LATEST_MS).toISOString(),
  };
}
