import { type SummaryResource, summaryResources } from '@aorta/connectors/service';
import { timeseriesResources } from '@aorta/schemas';
import { type Dates, instantsOf, piecesOf } from './calendar.ts';

/** One piece of a range of dates. */
interface Piece {
  /** What is asked for: dates of summaries, and instants of samples. */
  readonly range: Dates;
  /** The dates whose objects are counted here: pieces of a range overlap, and these do not. They are open at its ends. */
  readonly own: Dates;
}

/** One thing that a backfill asks for. */
export type Step =
  | { readonly kind: 'user' }
  | { readonly kind: 'profiles'; readonly resource: 'profile' }
  | { readonly kind: 'orders' }
  | (Piece & { readonly kind: 'summaries'; readonly resource: SummaryResource })
  /** The workouts once more, to announce their streams, which whoever fetches streams then asks for. */
  | (Piece & { readonly kind: 'streams'; readonly resource: typeof WORKOUT_STREAM })
  | (Piece & { readonly kind: 'samples'; readonly resource: string; readonly path: string });

const WORKOUT_STREAM = 'workout_stream';

/** Two resources have another name in the paths of the API than in its events. */
const namesInPaths: Readonly<Record<string, string>> = { fat: 'body_fat', weight: 'body_weight' };

/** Everything that may be asked for by name. */
export const backfillResources: readonly string[] = [
  'profile',
  'orders',
  ...summaryResources,
  WORKOUT_STREAM,
  ...timeseriesResources.filter(({ retired }) => retired !== true).map(({ resource }) => resource),
];

export interface WhatToBackfill extends Dates {
  /** Names of {@link backfillResources}; all of them where left out. */
  readonly resources?: readonly string[] | undefined;
  /** Days of one question at most. */
  readonly days: number;
}

/**
 * The steps of a backfill, in the order in which they are taken: pure, so that a step's number names it for as long as
 * the same is asked for.
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

/** The resource whose objects a step fetches; undefined where nobody counts them. */
export function resourceOf(step: Step | undefined): string | undefined {
  return step !== undefined && 'resource' in step ? step.resource : undefined;
}
