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
