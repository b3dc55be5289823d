import type { Json } from '../../reference-service/control.ts';
import type { ReceivedEvent } from './endpoint.ts';

/** Samples that the service changed after it first sent them, each with every value that it sent. */
export class ChangedSamples {
  readonly #values = new Map<string, Set<number>>();

  /**
   * A webhook's receipt time is the creation of its message, or the arrival if that is earlier. The virtual clock runs ahead, so
   * here it is always the arrival. A message that is retried, because Aorta was killed, then seems newer than a change that
   * arrived at once. So the tables may show any told value of these samples.
   */
  constructor(events: readonly ReceivedEvent[]) {
    for (const verb of ['updated', 'created'] as const) {
      for (const { event_type, user_id, data } of events) {
        const resource = new RegExp(`^daily\\.data\\.(\\w+)\\.${verb}$`).exec(event_type)?.[1];
        if (resource === undefined || !Array.isArray(data.data)) continue;
        for (const sample of data.data as Json[]) this.#add(keyOf(user_id, resource, sample), Number(sample.value), verb);
      }
    }
  }

  #add(key: string, value: number, verb: 'updated' | 'created'): void {
    if (verb === 'updated' && !this.#values.has(key)) this.#values.set(key, new Set());
    this.#values.get(key)?.add(value);
  }

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Returns whether the service has told this value of a changed sample. */
  isTold(key: string, value: number): boolean {
    return this.#values.get(key)?.has(value) === true;
  }
}

/** Names a sample as {@link readTables} does: by user, resource and time in milliseconds. */
export function keyOf(user: string, resource: string, { start, timestamp }: Json): string {
  return `${user} ${resource} ${Date.parse(String(start ?? timestamp))}`;
}
