/** Bytes of requests between their arrival and their answer. */
export class HeldBytes {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns whether another request may be read. A single request may exceed the limit. */
  get hasRoom(): boolean {
    return this.#bytes < this.#limit;
  }

  /** Returns false, without adding them, if the limit would be exceeded by bytes of a request that is not the only one. */
  add(bytes: number, ofRequest: number): boolean {
    if (this.#bytes + bytes > this.#limit && this.#bytes > ofRequest) return false;
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}
