import { join } from 'node:path';
import { type StreamName, streamNames } from '@aorta/schemas';
import {
  partitionOf,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamPartition,
  streamsBug,
} from '../stream-log.ts';
import { readReplacing } from './damaged-segment.ts';
import { GroupPositions } from './group-positions.ts';
import type { PositionRange } from './salvage.ts';
import { Segment } from './segment.ts';
import { SegmentFiles } from './segment-file.ts';
import { SegmentReader } from './segment-reader.ts';
import type { StreamFolder } from './stream-folder.ts';

const allStreams = streamNames.map((stream) => partitionOf(stream));

/** The part of a stream that readers may see, as plain data. The writing thread sends it to a reading thread. */
export interface StreamView {
  readonly name: StreamName;
  readonly incarnation: string;
  /** The position after the last durable record. */
  readonly end: number;
  readonly losses: readonly PositionRange[];
  /** Whether `segments` lists all segments of the stream. If so, the reader forgets the segments that it knows. */
  readonly isWhole: boolean;
  /** The segments that may be new or longer than before. */
  readonly segments: readonly { readonly first: number; readonly bytes: number | undefined }[];
}

/**
 * Returns the view of a stream for a reader. `knownEnd` is the end that the reader knows; undefined if the stream is new to
 * it.
 */
export function viewOf({ name, incarnation, end, losses, segments }: StreamFolder, knownEnd: number | undefined): StreamView {
  const firstNew = knownEnd === undefined ? 0 : segments.findLastIndex(({ first }) => first <= knownEnd);
  const changed = segments.slice(Math.max(0, firstNew)).map(({ first, bytes }) => ({ first, bytes }));
  return { name, incarnation, end, losses, isWhole: knownEnd === undefined, segments: changed };
}

type ReplaceDamaged = (of: StreamPartition, position: number) => Promise<void>;

interface FollowedStream {
  readonly name: StreamName;
  segments: Segment[];
  incarnation: string;
  end: number;
  losses: readonly PositionRange[];
}

/**
 * Reads the local log in the process that writes it, but in a different thread. It never lists the folder, because files in it
 * may not be durable yet. Instead, the writing thread sends it the ends and segments of the streams. Only this log commits for the
 * groups of its reader.
 */
export class FollowedLog implements ReadableLog {
  readonly #folder: string;
  readonly #replaceDamaged: ReplaceDamaged;
  readonly #positions = new Map<StreamName, GroupPositions>();
  readonly #streams = new Map<StreamName, FollowedStream>();
  readonly #files = new SegmentFiles();
  readonly #reader = new SegmentReader(this.#files);

  /**
   * `folder` is the log's folder. `replaceDamaged` makes the writing thread replace a damaged segment and send the stream's
   * view.
   */
  constructor(folder: string, replaceDamaged: ReplaceDamaged) {
    this.#folder = folder;
    this.#replaceDamaged = replaceDamaged;
  }

  /** Applies the views that the writing thread sent. */
  see(views: readonly StreamView[]): void {
    for (const { name, incarnation, end, losses, isWhole, segments } of views) {
      const stream = this.#streams.get(name) ?? { name, segments: [], incarnation, end, losses };
      this.#streams.set(name, stream);
      Object.assign(stream, { incarnation, end, losses }, isWhole ? { segments: [] } : {});
      // A replaced segment has a new file.
      if (isWhole) void this.#files.close();
      for (const { first, bytes } of segments) {
        let segment = stream.segments.findLast((known) => known.first === first);
        if (segment === undefined) {
          segment = new Segment(name, join(this.#folder, name), first);
          stream.segments.push(segment);
        }
        segment.bytes = bytes;
      }
    }
  }

  assigned(): readonly StreamPartition[] {
    return allStreams;
  }

  start(): number {
    return 0;
  }

  incarnation({ stream }: StreamPartition): string {
    return this.#streams.get(stream)?.incarnation ?? '';
  }

  end({ stream }: StreamPartition): number {
    return this.#streams.get(stream)?.end ?? 0;
  }

  async read<S extends StreamName>({ stream }: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    const followed = this.#streams.get(stream) ?? { name: stream, segments: [], end: 0, losses: [] };
    if (from > followed.end) throw streamsBug(`read at position ${from}, but the stream ends at ${followed.end}`);
    return readReplacing(
      () => this.#reader.read(followed as typeof followed & { name: S }, from, limit),
      (position) => this.#replaceDamaged(partitionOf(stream), position),
    );
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    const { stream } = of;
    if (position > this.end(of)) throw streamsBug(`commit at position ${position}, but the stream ends at ${this.end(of)}`);
    const positions = this.#positions.get(stream) ?? new GroupPositions(join(this.#folder, stream));
    this.#positions.set(stream, positions);
    await positions.commit(group, position, this.incarnation(of));
  }

  async close(): Promise<void> {
    for (const positions of this.#positions.values()) await positions.settle();
    await this.#files.close();
    this.#reader.forget();
  }
}
