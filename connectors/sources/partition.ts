import { AortaError } from '@aorta/runtime';
import { z } from 'zod';
import { parseReceivedAt } from './delivery.ts';

/**
 * A map with two keys, source and partition. Names may contain any character, so joining them into one key could be
 * ambiguous. The map caches its last entry, because consecutive deliveries are usually from the same partition. A cache
 * hit avoids hashing both strings.
 */
export class ByPartition<T> {
  readonly #sources = new Map<string, Map<string, T>>();
  #source = '';
  #partition = '';
  #last: T | undefined;

  get(source: string, partition: string): T | undefined {
    if (this.#last !== undefined && partition === this.#partition && source === this.#source) return this.#last;
    return this.#remember(source, partition, this.#sources.get(source)?.get(partition));
  }

  set(source: string, partition: string, thing: T): T {
    this.#remember(source, partition, thing);
    const partitions = this.#sources.get(source);
    if (partitions === undefined) this.#sources.set(source, new Map([[partition, thing]]));
    else partitions.set(partition, thing);
    return thing;
  }

  delete(source: string, partition: string): void {
    this.#last = undefined;
    const partitions = this.#sources.get(source);
    partitions?.delete(partition);
    if (partitions?.size === 0) this.#sources.delete(source);
  }

  *[Symbol.iterator](): Generator<readonly [source: string, partition: string, thing: T]> {
    for (const [source, partitions] of this.#sources) {
      for (const [partition, thing] of partitions) yield [source, partition, thing];
    }
  }

  #remember(source: string, partition: string, thing: T | undefined): T | undefined {
    this.#source = source;
    this.#partition = partition;
    this.#last = thing;
    return thing;
  }
}

/** Returns the name under which a source's consumer and partitions report that they are waiting. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}

/** The position at which reading of a new partition starts. A number is a time in milliseconds since 1970. */
export type StartPosition = 'earliest' | 'latest' | number;

export const startPositionOption = z
  .string()
  .refine((text) => text === 'earliest' || text === 'latest' || !Number.isNaN(parseReceivedAt(text)), {
    error: 'neither `earliest`, `latest` nor an RFC 3339 date-time',
  })
  .default('earliest');

/** Converts the configured value to a position. The schema has already validated the value. */
export function startPositionOf(written: string): StartPosition {
  if (written === 'earliest' || written === 'latest') return written;
  const time = parseReceivedAt(written);
  if (Number.isNaN(time)) throw new AortaError('AORTA-BUG', { place: 'source', problem: 'a start position that is not a time' });
  return time / 1000;
}
