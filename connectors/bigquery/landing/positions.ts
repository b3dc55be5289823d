import type { Landed } from '../../warehouse.ts';
import type { LandedBatch } from './landed-batch.ts';

/** One incarnation of a stream's partition. */
export interface Line {
  readonly stream: string;
  readonly partition: number;
  readonly incarnation: string;
}

export const lineKey = ({ stream, partition, incarnation }: Line): string => JSON.stringify([stream, partition, incarnation]);

/** Stored position of a partition. All records before it are merged, so their landing tables can be dropped. */
export interface StoredPosition extends Line {
  readonly position: number;
}

export interface WrittenPosition extends StoredPosition {
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Whether a stored position is past the batch. If so, the batch was merged before its landing table was dropped. */
export function isPassed(batch: LandedBatch, positions: readonly StoredPosition[]): boolean {
  return positions.some((one) => lineKey(one) === lineKey(batch) && one.position >= batch.to);
}

/** A range before a landing table that neither another landing table nor a stored position covers. */
export interface Hole extends Line {
  readonly from: number;
  readonly to: number;
}

export interface Coverage {
  /** For each `stream/partition`, the incarnation that was landed last and its position before the first gap. */
  readonly landed: ReadonlyMap<string, Landed>;
  readonly holes: readonly Hole[];
}

export const partitionKey = (of: { readonly stream: string; readonly partition: number }): string =>
  `${of.stream}/${of.partition}`;

/**
 * Computes how far each partition has been landed. Starts at its stored position and follows its landing tables. Tables may
 * overlap if a worker noticed late that it had lost the partition, or ended a batch at a different position after a crash.
 * Merging rows twice changes nothing. A gap means that a table is missing, because tables are dropped in order and only after
 * their position is stored.
 */
export function coverage(positions: readonly WrittenPosition[], batches: readonly LandedBatch[]): Coverage {
  const landed = new Map<string, Landed>();
  const landedAt = new Map<string, number>();
  const holes: Hole[] = [];
  for (const line of linesOf(positions, batches)) {
    const { stream, partition, incarnation, at } = line;
    const { position, holes: missing } = follow(line);
    holes.push(...missing);
    const key = partitionKey({ stream, partition });
    if (at >= (landedAt.get(key) ?? Number.NEGATIVE_INFINITY)) {
      landed.set(key, { incarnation, position });
      landedAt.set(key, at);
    }
  }
  return { landed, holes };
}

interface LandedLine extends Line {
  start: number | undefined;
  /** Time at which a batch was last landed or a position was last stored. */
  at: number;
  readonly batches: LandedBatch[];
}

function linesOf(positions: readonly WrittenPosition[], batches: readonly LandedBatch[]): Iterable<LandedLine> {
  const lines = new Map<string, LandedLine>();
  const lineOf = (of: Line): LandedLine => {
    const key = lineKey(of);
    let line = lines.get(key);
    if (line === undefined) {
      line = { ...of, start: undefined, at: Number.NEGATIVE_INFINITY, batches: [] };
      lines.set(key, line);
    }
    return line;
  };
  for (const { position, writtenAt, ...of } of positions) {
    const line = lineOf(of);
    if (line.start === undefined || position > line.start) line.start = position;
    line.at = Math.max(line.at, writtenAt);
  }
  for (const batch of batches) {
    const { stream, partition, incarnation } = batch;
    const line = lineOf({ stream, partition, incarnation });
    line.batches.push(batch);
    line.at = Math.max(line.at, batch.landedAt);
  }
  return lines.values();
}

/** Returns the position up to which a partition is landed, and the gaps before that position. */
function follow({ stream, partition, incarnation, start, batches }: LandedLine): {
  readonly position: number;
  readonly holes: Hole[];
} {
  const some = [...batches].sort((a, b) => a.from - b.from || Number(b.begins) - Number(a.begins));
  const holes: Hole[] = [];
  // If the first batch does not begin its partition, an earlier batch is missing.
  const unknown = start === undefined && !some[0]!.begins;
  if (unknown) holes.push({ stream, partition, incarnation, from: 0, to: some[0]!.from });
  let position = start ?? some[0]!.from;
  for (const { from, to } of some) {
    if (from > position) holes.push({ stream, partition, incarnation, from: position, to: from });
    position = Math.max(position, to);
  }
  return { position, holes };
}
