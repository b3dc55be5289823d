import type { ReceivedEvent } from '../../faults/reference-service/endpoint.ts';
import type { Json } from '../control.ts';
import type { Accepts } from './differences.ts';
import { type Row, time } from './row.ts';

/** Samples that the service changed after it first sent them, each with every value that it sent. */
export class ChangedSamples {
  readonly #values = new Map<string, Set<unknown>>();

  /** `events` are those that the service has sent. */
  constructor(events: readonly ReceivedEvent[]) {
    for (const verb of ['updated', 'created'] as const) {
      for (const { event_type, user_id, data } of events) {
        const resource = new RegExp(`^daily\\.data\\.(\\w+)\\.${verb}$`).exec(event_type)?.[1];
        if (resource === undefined || !Array.isArray(data.data)) continue;
        const { provider, type: source_type } = data.source as Json;
        for (const { start, timestamp, value } of data.data as Json[])
          this.#add(keyOf({ user_id, resource, provider, source_type, start_at: time(String(start ?? timestamp)) }), value, verb);
      }
    }
  }

  #add(key: string, value: unknown, verb: 'updated' | 'created'): void {
    if (verb === 'updated' && !this.#values.has(key)) this.#values.set(key, new Set());
    this.#values.get(key)?.add(value);
  }

  /** Accepts that a changed sample came with another event type: the API does not say whether a sample was changed. */
  readonly acceptChange: Accepts = (table, column, row) =>
    table === 'timeseries' && column === 'event_type' && this.#values.has(keyOf(row));

  /**
   * Accepts every value that the service has told. A webhook's receipt time is the creation of its message, or the arrival if
   * that is earlier. The virtual clock runs ahead, so here it is always the arrival. A message that is retried, because Aorta was
   * killed, then seems newer than a change that arrived at once.
   */
  readonly acceptTold: Accepts = (table, column, row, value) =>
    this.acceptChange(table, column, row, value) ||
    (table === 'timeseries' && column === 'value' && this.#values.get(keyOf(row))?.has(value) === true);
}

function keyOf({ user_id, resource, provider, source_type, start_at }: Row): string {
  return [user_id, resource, provider, source_type, start_at].join(' ');
}
