import { incarnationHash, landedTableName, readLandedTableName } from '../sql/landing.ts';
import type { LandedBatch } from './landed-batch.ts';
import type { Hole, WrittenPosition } from './positions.ts';

/** Number of load attempts whose table names are looked up. More than one attempt is rare. */
const ATTEMPTS = 3;

interface Line {
  readonly stream: string;
  readonly partition: number;
  readonly incarnation: string;
}

const isSameLine = (a: Line, b: Line): boolean =>
  a.stream === b.stream && a.partition === b.partition && a.incarnation === b.incarnation;

/** Returns known batches that were not found and that no stored position covers. A worker that dropped them would have stored a position. */
export function lostBatches(
  known: Iterable<LandedBatch>,
  seen: readonly LandedBatch[],
  positions: readonly WrittenPosition[],
): LandedBatch[] {
  const names = new Set(seen.map(({ name }) => name));
  const isDropped = (batch: LandedBatch): boolean => positions.some((one) => isSameLine(one, batch) && one.position >= batch.to);
  return [...known].filter((batch) => !names.has(batch.name) && !isDropped(batch));
}

export interface MissingBatches {
  /** Ranges of positions that neither a batch nor a stored position covers. */
  readonly holes: readonly Hole[];
  readonly lost: readonly LandedBatch[];
  readonly seen: readonly LandedBatch[];
  readonly merged: { batches(): Iterable<string> };
}

/** Returns the possible names of missing batches: known names, names in merge records, and names of batches that exactly fill a gap. */
export function namesToAsk({ holes, lost, seen, merged }: MissingBatches): string[] {
  const names = new Set(lost.map(({ name }) => name));
  const recorded = [...merged.batches()].map((name) => ({ name, facts: readLandedTableName(name) }));
  for (const hole of holes) {
    const { stream, partition, incarnation, from, to } = hole;
    for (const { name, facts } of recorded) {
      const isOfLine =
        facts?.stream === stream && facts.partition === partition && facts.incarnationHash === incarnationHash(incarnation);
      if (isOfLine && facts.from < to && facts.to > from) names.add(name);
    }
    // Workers that run different versions of Aorta use different landing schemas.
    const ofStream = seen.filter((batch) => batch.stream === stream).map(({ name }) => readLandedTableName(name)?.revision);
    for (const revision of new Set(ofStream))
      for (let attempt = 1; attempt <= ATTEMPTS && revision !== undefined; attempt++)
        names.add(landedTableName({ stream, partition, incarnation, from, to, revision, attempt }));
  }
  const there = new Set(seen.map(({ name }) => name));
  return [...names].filter((name) => !there.has(name));
}
