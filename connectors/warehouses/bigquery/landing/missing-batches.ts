import { incarnationHash, landedTableName, readLandedTableName } from '../sql/index.ts';
import type { LandedBatch } from './landed-batch.ts';
import type { Hole, WrittenPosition } from './positions.ts';

/** Attempts of a batch whose names are asked for: more than one is rare. */
const ATTEMPTS = 3;

interface Line {
  readonly stream: string;
  readonly partition: number;
  readonly incarnation: string;
}

const isSameLine = (a: Line, b: Line): boolean =>
  a.stream === b.stream && a.partition === b.partition && a.incarnation === b.incarnation;

/** Batches that are known, not seen, and not behind a written position: nobody may have dropped them. Pure. */
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
  /** Stretches that no batch and no position covers. */
  readonly holes: readonly Hole[];
  readonly lost: readonly LandedBatch[];
  readonly seen: readonly LandedBatch[];
  /** What is merged names batches, too. */
  readonly merged: { batches(): Iterable<string> };
}

/**
 * Names under which missing batches may be: those that are known, those that a merge has written down, and of a hole that
 * is one batch the name that follows from its positions. Pure.
 */
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
    // Versions beside each other land under schemas of their own.
    const ofStream = seen.filter((batch) => batch.stream === stream).map(({ name }) => readLandedTableName(name)?.revision);
    for (const revision of new Set(ofStream))
      for (let attempt = 1; attempt <= ATTEMPTS && revision !== undefined; attempt++)
        names.add(landedTableName({ stream, partition, incarnation, from, to, revision, attempt }));
  }
  const there = new Set(seen.map(({ name }) => name));
  return [...names].filter((name) => !there.has(name));
}
