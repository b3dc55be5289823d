import type { AortaError } from '@aorta/runtime';
import type { Delivery } from '../source.ts';
import { ByPartition } from '../sources/partition.ts';
import type { Content } from './content.ts';
import { type FileReceipt, type Holds, heldBy, LineProblem, malformedAt, plainEvent, readDeliveryLine } from './delivery-line.ts';
import type { FileEntry } from './entries.ts';
import { FileError } from './errors.ts';
import { parsed } from './format.ts';

/** Checks that the offsets of a delivery file strictly increase within each partition. */
class Ascent {
  readonly #previous = new ByPartition<{ offset: number }>();

  /** Records an offset. Returns the previous offset of the partition if the new one is not greater, else undefined. */
  take(source: string, partition: string, offset: number): number | undefined {
    const previous = this.#previous.get(source, partition);
    if (previous === undefined) this.#previous.set(source, partition, { offset });
    else if (offset <= previous.offset) return previous.offset;
    else previous.offset = offset;
    return undefined;
  }
}

/** Reads the entries of one file. The first JSON object decides whether the file holds deliveries or plain events. */
export class FileReader {
  readonly #content: Content;
  readonly #receivedAt: number;
  readonly #name: string;
  readonly #report: (error: AortaError) => void;
  readonly #ascent = new Ascent();
  #partition: string | undefined;
  #holds: Holds | undefined;

  constructor(content: Content, receivedAt: number, name: string, report: (error: AortaError) => void) {
    this.#content = content;
    this.#receivedAt = receivedAt;
    this.#name = name;
    this.#report = report;
  }

  /**
   * Returns the delivery of an entry, or undefined if `passOver` is set. Returns a promise only if the content's hash
   * is needed. Throws AORTA-FILE-OFFSETS.
   */
  read(entry: FileEntry, bytes: Buffer, ordinal: number, passOver: boolean): Delivery | Promise<Delivery> | undefined {
    this.#holds ??= heldBy(parsed(bytes));
    if (passOver) return undefined;
    const line = entry.number;
    const found = { file: this.#content.label, line };
    if (this.#holds !== 'deliveries') {
      return this.#place((partition) => plainEvent(this.#receipt(partition, ordinal), bytes, found));
    }
    const delivery = readDeliveryLine(bytes, found);
    if (delivery instanceof LineProblem) {
      this.#reportLine(entry, delivery);
      return this.#place((partition) => malformedAt(this.#receipt(partition, ordinal), bytes, found));
    }
    const { source, partition, offset } = delivery;
    const previous = this.#ascent.take(source, partition, offset);
    if (previous !== undefined) {
      throw new FileError('AORTA-FILE-OFFSETS', { file: this.#content.label, line, offset, source, partition, previous });
    }
    return delivery;
  }

  /** Builds a delivery for an entry without a position. The partition is the hash of the file's content; the offset is the entry's index. */
  #place(make: (partition: string) => Delivery): Delivery | Promise<Delivery> {
    if (this.#partition !== undefined) return make(this.#partition);
    return this.#content.hash().then((partition) => {
      this.#partition = partition;
      return make(partition);
    });
  }

  #receipt(partition: string, offset: number): FileReceipt {
    return { source: this.#name, partition, offset, receivedAt: this.#receivedAt };
  }

  #reportLine({ number, element }: FileEntry, problem: LineProblem): void {
    const line = element === undefined ? number : `${number} (element ${element})`;
    this.#report(new FileError('AORTA-FILE-ENTRY', { file: this.#content.label, line, problem: problem.text }));
  }
}
