import type { StreamName } from '@aorta/schemas';
import type { PositionRange } from './salvage.ts';
import type { Segment } from './segment.ts';

/** The part of a stream that a reader may see. */
export interface ReadableStream {
  readonly name: StreamName;
  /** The segments in order. Each segment but the last ends where the next one begins. */
  readonly segments: readonly Segment[];
  /** The position after the last visible record. */
  readonly end: number;
  /** Positions without records, in order. They begin and end at the bounds of segments. */
  readonly losses: readonly PositionRange[];
}

/** Returns the position itself, or the position after the loss that contains it. */
export function afterLoss({ losses }: ReadableStream, position: number): number {
  return losses.reduce((at, { from, to }) => (at >= from && at < to ? to : at), position);
}

/** Returns the first place after `position` where a read must stop: lost records, or the end. */
export function boundAfter({ losses, end }: ReadableStream, position: number): number {
  return losses.find(({ from }) => from > position)?.from ?? end;
}

/** Returns the position after the last record of a segment. */
export function endOf(stream: ReadableStream, { first }: Segment): number {
  const next = stream.segments[segmentIndex(stream.segments, first) + 1]?.first ?? stream.end;
  return Math.min(boundAfter(stream, first), next);
}

/** Returns the index of the segment that contains `position`: the last one that begins at or before it. */
export function segmentIndex(segments: readonly Segment[], position: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segments[middle]!.first <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
