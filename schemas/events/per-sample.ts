/**
 * The values of one field over the samples of a batch, in the form that the stream has: empty where no sample has one,
 * a single entry where every sample has the same, else one entry a sample. Most columns of a batch are constant, which
 * makes the record a third smaller and quicker to write.
 */
export class PerSample<T> {
  #first: T | null = null;
  #items: (T | null)[] | undefined;
  #count = 0;

  push(value: T | null): void {
    if (this.#items !== undefined) this.#items.push(value);
    else if (this.#count === 0) this.#first = value;
    else if (value !== this.#first) {
      const items = new Array<T | null>(this.#count).fill(this.#first);
      items.push(value);
      this.#items = items;
    }
    this.#count++;
  }

  values(): (T | null)[] {
    if (this.#items !== undefined) return this.#items;
    return this.#count === 0 || this.#first === null ? [] : [this.#first];
  }
}

/** The value of sample `index` in an array of that form. */
export function sampleValue<T>(values: readonly T[], index: number): T | null {
  return values.length > 1 ? values[index]! : (values[0] ?? null);
}
