import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import type { ContainerHeader } from './container.ts';

const ORDINAL_DIGITS = 20;
const SEGMENT_NAME = /^([0-9]{20})\.avro$/;
/** Minimum distance between two landmarks of a segment, in bytes. With small blocks, an index of every block would cost more than it saves. */
const LANDMARK_BYTES = 1024 * 1024;

/** The location of the start of a block. */
export interface Landmark {
  /** Position in the stream of the block's first record. */
  readonly position: number;
  /** Byte offset of the block in the file. */
  readonly offset: number;
}

function segmentName(first: number): string {
  return `${String(first).padStart(ORDINAL_DIGITS, '0')}.avro`;
}

/** Returns the position of the first record in the segment with this file name. Returns undefined for names of other files. */
export function firstOf(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A segment: a file of consecutive records of one stream, all written with one schema. */
export class Segment {
  readonly stream: StreamName;
  /** Position of the segment's first record. */
  readonly first: number;
  readonly path: string;
  /** Path relative to the log's folder, as used in messages. */
  readonly file: string;
  /** Number of bytes that readers may see; undefined until the segment is examined. */
  bytes: number | undefined;
  header: ContainerHeader | undefined;
  /** Whether the record counts of all its blocks have been verified. */
  isCounted = false;
  readonly #landmarks: Landmark[] = [];

  constructor(stream: StreamName, folder: string, first: number) {
    this.stream = stream;
    this.first = first;
    this.path = join(folder, segmentName(first));
    this.file = `${stream}/${segmentName(first)}`;
  }

  /** Remembers the start of a block if it is far enough from the last landmark. */
  note(position: number, offset: number): void {
    const last = this.#landmarks.at(-1);
    if (last === undefined || offset >= last.offset + LANDMARK_BYTES) this.#landmarks.push({ position, offset });
  }

  /** Returns the last landmark at or before `position`; undefined if there is none. */
  landmarkBefore(position: number): Landmark | undefined {
    let low = 0;
    let high = this.#landmarks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#landmarks[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return this.#landmarks[low - 1];
  }
}
