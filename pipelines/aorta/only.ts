import { InvalidArgumentError } from 'commander';
import { everything, type PartName, partNames, type RunParts } from './parts.ts';

/** Deprecated values of `--only`, each with the options that replace it. */
const oldNames = {
  consumers: '--only ingestion --only enrichment',
  jobs: '--only loading (with local streams, jobs also follows historical pulls, which is a part of --only enrichment)',
} as const;
type OldName = keyof typeof oldNames;

/** The values of `--only`, in the given order. Empty means all parts. */
export type Only = readonly (PartName | OldName)[];

/** Adds one value of `--only`. Throws InvalidArgumentError if it names no part. */
export function collectPart(value: string, before: Only = []): Only {
  const known: readonly string[] = [...partNames, ...Object.keys(oldNames)];
  if (!known.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${partNames.join(', ')}.`);
  if (isOld(value) && before.length > 0)
    throw new InvalidArgumentError(`${value} cannot be combined with other parts; use ${oldNames[value]}.`);
  const [first] = before;
  if (first !== undefined && isOld(first))
    throw new InvalidArgumentError(`${first} cannot be combined with other parts; use ${oldNames[first]}.`);
  return [...before, value as PartName];
}

/**
 * Returns the parts that a run with these values of `--only` starts. `shared`: whether several processes may write to the
 * streams.
 */
export function runParts(only: Only, shared: boolean): RunParts {
  const [first] = only;
  if (first === undefined) return everything;
  if (first === 'consumers') return { ingestion: true, enrichment: 'all', loading: false };
  if (first === 'jobs') return { ingestion: false, enrichment: shared ? 'none' : 'pulls', loading: true };
  return {
    ingestion: only.includes('ingestion'),
    enrichment: only.includes('enrichment') ? 'all' : 'none',
    loading: only.includes('loading'),
  };
}

/** Returns a line that names the replacement of a deprecated value, or undefined if the value is not deprecated. */
export function oldNameLine([first]: Only): string | undefined {
  return first === undefined || !isOld(first) ? undefined : `--only ${first} is deprecated; use ${oldNames[first]}\n`;
}

const isOld = (name: string): name is OldName => Object.hasOwn(oldNames, name);
