import { join } from 'node:path';
import { type AortaError, type FileEntries, openKeptFile } from '@aorta/runtime';

/** Which messages of a segment were acknowledged: by partition, the offsets from `first` to before `next`. */
export interface SegmentEnd {
  readonly first: readonly number[];
  readonly next: readonly number[];
  /** Number of these messages that are missing. Set when that was reported. */
  readonly lost?: number;
}

/**
 * The acknowledged messages of each segment, in a file of their own. Without it, a segment whose end was cut off would look like
 * one whose last append was interrupted. The entry of the last segment remains when that segment is removed: it holds the next
 * segment number and the next offsets.
 */
export class SegmentEnds {
  readonly #file: FileEntries;
  readonly #ends: Map<number, SegmentEnd>;

  private constructor(file: FileEntries) {
    this.#file = file;
    this.#ends = new Map([...file.take()].map(([number, text]) => [Number(number), JSON.parse(text) as SegmentEnd]));
  }

  /** Opens the ends in the folder of the segments. Rejects with the errors of {@link openKeptFile}. */
  static async open(folder: string): Promise<SegmentEnds> {
    const consequence = 'the messages in the segments are read, but damage to the end of a segment would not be noticed';
    return new SegmentEnds(await openKeptFile(join(folder, 'ends.ndjson'), { consequence }));
  }

  /** Set if the file was damaged. */
  get damage(): AortaError | undefined {
    return this.#file.damage;
  }

  of(number: number): SegmentEnd | undefined {
    return this.#ends.get(number);
  }

  /** Number of the last segment; -1 if there is none. */
  get last(): number {
    return Math.max(-1, ...this.#ends.keys());
  }

  /** Numbers of the segments that have acknowledged messages. */
  numbers(): number[] {
    return [...this.#ends].filter(([, { first, next }]) => next.some((end, at) => end > first[at]!)).map(([number]) => number);
  }

  /** Durably writes the end of a segment. Rejects with AORTA-DATA-UNWRITABLE. */
  async write(number: number, end: SegmentEnd): Promise<void> {
    await this.#file.write([[String(number), JSON.stringify(end)]]);
    this.#ends.set(number, end);
  }

  /** Durably forgets a segment that will be removed. Rejects with AORTA-DATA-UNWRITABLE. */
  async forget(number: number): Promise<void> {
    const end = this.#ends.get(number);
    if (end === undefined) return;
    if (number === this.last) return this.write(number, { first: end.next, next: end.next });
    const removed = [...this.#ends.keys()].filter((one) => one <= number);
    await this.#file.write(removed.map((one) => [String(one), null]));
    for (const one of removed) this.#ends.delete(one);
  }

  /** Never rejects. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
