import type { SharedAccessKey } from './sas.ts';

/** The only shared access policy of the namespace. The policy's key and its right to listen can change while the server runs. */
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

  /** Replaces the key. Default: the key with which the server started. */
  rotate(key: string = this.#firstKey): void {
    this.#key = key;
  }
}
