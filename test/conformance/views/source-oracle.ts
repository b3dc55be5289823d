import { createHash } from 'node:crypto';

/** Orders sources in plain code, from the rules in `docs/guides/querying.md` alone. */

export interface Source {
  readonly provider: string;
  readonly source_type: string;
}

/** Preferred sources by measure, as in the configuration. */
export type Preferred = Readonly<Record<string, readonly string[]>>;

/** The rank of a source for a measure. The least is the best. */
export type Ranks = (measure: string, source: Source) => number;

const usual = [
  'lab',
  'chest_strap',
  'cuff',
  'scale',
  'ring',
  'watch',
  'earphone',
  'exercise_machine',
  'fingerprick',
  'insulin_pump',
  'automatic',
  'multiple_sources',
  'phone',
  'app',
  'unknown',
  'manual_scan',
];
const early: Readonly<Record<string, readonly string[]>> = {
  steps: ['chest_strap', 'watch', 'ring'],
  distance: ['chest_strap', 'watch', 'ring'],
  calories_active: ['chest_strap', 'watch', 'ring'],
  calories_total: ['chest_strap', 'watch', 'ring'],
  floors_climbed: ['chest_strap', 'watch', 'ring'],
  workouts: ['chest_strap', 'exercise_machine', 'watch'],
  glucose: ['automatic', 'insulin_pump', 'unknown', 'manual_scan'],
};

export const nameOf = ({ provider, source_type }: Source): string => `${provider}/${source_type}`;

export function ranksWith(preferred: Preferred): Ranks {
  return (measure, source) => {
    const list = preferred[measure] ?? preferred.default ?? [];
    const isMeant = (one: string): boolean =>
      one === nameOf(source) || one === source.provider || (one === source.source_type && source.provider !== 'manual');
    const chosen = list.findIndex(isMeant);
    if (chosen >= 0) return chosen;
    if (source.provider === 'manual') return 1000;
    const types = [...(early[measure] ?? []), ...usual];
    const place = types.indexOf(source.source_type);
    return 100 + (place < 0 ? types.indexOf('unknown') : place);
  };
}

/**
 * Compares sources of a user for a measure by rank. Then the number of the 14 days before on which they have a value decides, and
 * then a hash that favours no provider.
 */
export function bySource(
  ranks: Ranks,
  measure: string,
  user: string,
  daysBefore: (source: Source) => number,
): (a: Source, b: Source) => number {
  const hash = (one: Source): string =>
    createHash('md5')
      .update(`${user} ${nameOf(one)}`)
      .digest('hex');
  return (a, b) =>
    ranks(measure, a) - ranks(measure, b) ||
    daysBefore(b) - daysBefore(a) ||
    (hash(a) < hash(b) ? -1 : hash(a) > hash(b) ? 1 : 0);
}

/** Returns how many of the 14 days before a date are among the given dates. */
export function countBefore(dates: Iterable<string>, date: string): number {
  const day = Date.parse(date) / 86_400_000;
  return [...new Set(dates)].filter((one) => {
    const before = day - Date.parse(one) / 86_400_000;
    return before >= 1 && before <= 14;
  }).length;
}
