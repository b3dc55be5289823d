import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import type { ContainerHeader } from './container.ts';

const ORDINAL_DIGITS = 20;
const SEGMENT_NAME = /^([0-9]{20})\.avro$/;
/** A landmark is kept for every so many bytes of a segment: with small blocks a full index would outgrow its use. */
const LANDMARK_BYTES = 1024 * 1024;

/** Where a block starts. */
export interface Landmark {
  /** Position in the stream of the block's first record. */
  readonly position: number;
  /** Byte of the file at which the block starts. */
  readonly offset: number;
}

/** The file name of the segment whose first record is at `first`. */
function segmentName(first: number): string {
  return `${String(first).padStart(ORDINAL_DIGITS, '0')}.avro`;
}

/** The position of a segment's first record, out of its file name; undefined for other files. */
export function firstOf(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What is known of a segment: a file of consecutive records of one stream, all written with one schema. */
export class Segment {
  readonly stream: StreamName;
  /** Position of its first record. */
  readonly first: number;
  readonly path: string;
  /** Path below the log's folder: what messages name. */
  readonly file: string;
  /** Bytes that readers may see; undefined where nobody has looked yet. */
  bytes: number | undefined;
  header: ContainerHeader | undefined;
  readonly #landmarks: Landmark[] = [];

  constructor(stream: StreamName, folder: string, first: number) {
    this.stream = stream;
    this.first = first;
    this.path = join(folder, segmentName(first));
    this.file = `${stream}/${segmentName(first)}`;
  }

  /** Remembers where a block starts, if the last one remembered is far enough before it. */
  note(position: number, offset: number): void {
    const last = this.#landmarks.at(-1);
    if (last === undefined || offset >= last.offset + LANDMARK_BYTES) this.#landmarks.push({ position, offset });
  }

  /** The last remembered block that starts at or before `position`; undefined where that is the first block of all. */
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
