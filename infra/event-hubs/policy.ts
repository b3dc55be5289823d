import type { SharedAccessKey } from './sas.ts';

/** The only shared access policy of the namespace. Its key and its right to listen can change while the server runs. */
export class Policy implements SharedAccessKey {
  readonly name: string;
  listens = true;
  #key: string;
  readonly #firstKey: string;

  constructor({ name, key }: SharedAccessKey) {
    this.name = name;
    this.#key = key;
    this.#firstKey = key;
  }

  get key(): string {
    return this.#key;
  }

  /** Replaces the key, by default with the server's first key. */
  rotate(key: string = this.#firstKey): void {
    this.#key = key;
  }
}
