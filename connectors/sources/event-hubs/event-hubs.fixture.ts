import { gzipSync } from 'node:zlib';
import type { EventHubsServer, RawEvent } from '@aorta/event-hubs-server';
import type { LogFields, Logger } from '@aorta/runtime';
import type { Delivery } from '../../source.ts';
import { type EventHubsSettings, eventHubsSourceOptions } from './options.ts';
import { EventHubsSource, type EventHubsSourceOptions } from './source.ts';

/** Returns an event in the service's format. Its id is unique unless the test sets the id. */
export function event(number: number, parts: { readonly id?: string; readonly padding?: number } = {}): RawEvent {
  const body = JSON.stringify({ number, user_id: 'u', padding: 'x'.repeat(parts.padding ?? 0) });
  return {
    body: Buffer.from(body).toString('base64'),
    properties: { 'event-type': 'historical.data.sleep.created', 'idempotency-key': parts.id ?? `id-${number}`, 'user-id': 'u' },
    partitionKey: 'u',
  };
}

/** Returns an event with this body and only the given properties. */
export function bareEvent(body: Buffer, properties?: RawEvent['properties']): RawEvent {
  return { body: body.toString('base64'), ...(properties === undefined ? {} : { properties }) };
}

export const gzipped = (value: unknown): Buffer => gzipSync(JSON.stringify(value));

/** Appends `count` events, numbered from `first`, to a partition. */
export async function append(
  server: EventHubsServer,
  where: { readonly hub: string; readonly partition: string },
  { first, count, ...parts }: { readonly first: number; readonly count: number } & Parameters<typeof event>[1],
): Promise<void> {
  await server.faults.append({ ...where, events: Array.from({ length: count }, (_, at) => event(first + at, parts)) });
}

/** Returns settings with timeouts of a few seconds. */
export function settingsFor(
  server: { readonly connectionString: string },
  parts: Partial<EventHubsSettings> = {},
): EventHubsSettings {
  return {
    ...eventHubsSourceOptions.parse({
      type: 'event-hubs',
      connection: server.connectionString,
      hubs: ['events'],
      checkpoint_s: 0.1,
      claim_s: 0.3,
      claim_expiry_s: 3,
      stalled_s: 2,
    }),
    ...parts,
  };
}

export function sourceOn(
  server: { readonly connectionString: string },
  folder: string,
  options: Partial<EventHubsSourceOptions> = {},
  settings: Partial<EventHubsSettings> = {},
): EventHubsSource {
  return new EventHubsSource({ settings: settingsFor(server, settings), folder, window: 0, askEveryMs: 500, ...options });
}

export interface Collected {
  readonly deliveries: Delivery[];
  /** Offsets of deliveries that only fill the redelivery window, by partition. */
  readonly before: Map<string, number[]>;
  error: unknown;
  /** Stops the source as ingestion does: aborts reading, waits until it ends, then closes the source. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

/** Reads a source until stopped, and commits each batch at once unless `commit` is false. */
export function collect(source: EventHubsSource, options: { readonly commit?: boolean } = {}): Collected {
  const stopping = new AbortController();
  const collected: Collected = {
    deliveries: [],
    before: new Map(),
    error: undefined,
    stop: async () => {
      stopping.abort();
      await ended;
      await source.close();
    },
    get ended() {
      return ended;
    },
  };
  const run = async (): Promise<void> => {
    try {
      for await (const { deliveries, position, before } of source.batches(stopping.signal)) {
        if (before === true) {
          for (const { partition, offset } of deliveries) {
            const offsets = collected.before.get(partition) ?? [];
            offsets.push(offset);
            collected.before.set(partition, offsets);
          }
        } else collected.deliveries.push(...deliveries);
        if (options.commit !== false) await source.commit([position]);
      }
    } catch (error) {
      collected.error = error;
    }
  };
  const ended = run();
  return collected;
}

/** Returns a logger that keeps its entries. */
export function keepingLogger(): Logger & {
  readonly lines: { readonly level: string; readonly event: string; readonly fields: LogFields }[];
} {
  const lines: { level: string; event: string; fields: LogFields }[] = [];
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ level, event, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
