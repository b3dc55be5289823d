import { gzipSync } from 'node:zlib';
import type { EventHubsServer, RawEvent } from '@aorta/event-hubs-server';
import type { LogFields, Logger } from '@aorta/runtime';
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
  return { body: body.toString('base64'), properties };
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
