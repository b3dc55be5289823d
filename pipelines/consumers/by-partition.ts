/** Things by source and partition. The names may hold any character, so they are not joined to one key. */
export class ByPartition<T> {
  readonly #sources = new Map<string, Map<string, T>>();

  get(source: string, partition: string): T | undefined {
    return this.#sources.get(source)?.get(partition);
  }

  set(source: string, partition: string, thing: T): T {
    const partitions = this.#sources.get(source);
    if (partitions === undefined) this.#sources.set(source, new Map([[partition, thing]]));
    else partitions.set(partition, thing);
    return thing;
  }

  delete(source: string, partition: string): void {
    const partitions = this.#sources.get(source);
    partitions?.delete(partition);
    if (partitions?.size === 0) this.#sources.delete(source);
  }

  *[Symbol.iterator](): Generator<readonly [source: string, partition: string, thing: T]> {
    for (const [source, partitions] of this.#sources) {
      for (const [partition, thing] of partitions) yield [source, partition, thing];
    }
  }
}
