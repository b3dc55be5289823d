import { InvalidArgumentError } from 'commander';
import { everything, type PartName, partNames, type RunParts } from './parts.ts';

/** Names of before, and what they stand for. */
const oldNames = {
  consumers: 'ingestion and enrichment: --only ingestion --only enrichment',
  jobs: 'loading: --only loading; with local streams it follows historical pulls, too, which is a part of --only enrichment',
} as const;
type OldName = keyof typeof oldNames;

/** What `--only` was given, in its order; nothing means everything. */
export type Only = readonly (PartName | OldName)[];

/** Takes one more value of `--only`. Throws InvalidArgumentError for what is no part. */
export function collectPart(value: string, before: Only = []): Only {
  const known: readonly string[] = [...partNames, ...Object.keys(oldNames)];
  if (!known.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${partNames.join(', ')}.`);
  if (isOld(value) && before.length > 0)
    throw new InvalidArgumentError(`It stands alone: it is an old name for ${oldNames[value]}.`);
  const [first] = before;
  if (first !== undefined && isOld(first)) throw new InvalidArgumentError(`${first} stands alone.`);
  return [...before, value as PartName];
}

/** What a run with these values of `--only` does. `shared`: several processes may write the streams. */
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

/** A line about an old name that was used; undefined if none was. */
export function oldNameLine([first]: Only): string | undefined {
  return first === undefined || !isOld(first) ? undefined : `--only ${first} is an old name for ${oldNames[first]}\n`;
}

const isOld = (name: string): name is OldName => Object.hasOwn(oldNames, name);
