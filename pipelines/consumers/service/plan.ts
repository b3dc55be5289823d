import { timeseriesResources } from '@aorta/schemas';
import { type SummaryResource, summaryResources } from '@aorta/service-client';
import { type Dates, instantsOf, piecesOf } from './calendar.ts';

/** One thing that a backfill asks for. Ranges are dates of summaries, and instants of samples. */
export type Step =
  | { readonly kind: 'user' }
  | { readonly kind: 'profiles' }
  | { readonly kind: 'orders' }
  | { readonly kind: 'summaries'; readonly resource: SummaryResource; readonly range: Dates }
  | { readonly kind: 'samples'; readonly resource: string; readonly path: string; readonly range: Dates };

/** Two resources have another name in the paths of the API than in its events. */
const namesInPaths: Readonly<Record<string, string>> = { fat: 'body_fat', weight: 'body_weight' };

/** Everything that may be asked for by name. */
export const backfillResources: readonly string[] = [
  'profile',
  'orders',
  ...summaryResources,
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
  const pieces = piecesOf({ from, to }, days);
  return [
    { kind: 'user' },
    ...(wanted.has('profile') ? [{ kind: 'profiles' } as const] : []),
    ...(wanted.has('orders') ? [{ kind: 'orders' } as const] : []),
    ...summaryResources
      .filter((resource) => wanted.has(resource))
      .flatMap((resource) => pieces.map((range) => ({ kind: 'summaries', resource, range }) as const)),
    ...timeseriesResources
      .filter(({ resource, retired }) => retired !== true && wanted.has(resource))
      .flatMap(({ resource }) =>
        pieces.map((range) => {
          const path = namesInPaths[resource] ?? resource;
          return { kind: 'samples', resource, path, range: instantsOf(range) } as const;
        }),
      ),
  ];
}
