import { everyPage, type ServiceClient, ServiceError } from '@aorta/connectors/service';
import { z } from 'zod';
import { type Known, openPolling, type PollingJobOptions } from './polled-data.ts';
import type { FetchedEvent } from './workers/emitter.ts';
import type { OpenJob } from './workers/job.ts';

const PAGE = 100;

/** Opens a job that polls all markers and lab tests of the team. Lab results and orders refer to them. */
export function openLabCatalogue({ client, ...surrounding }: PollingJobOptions): Promise<OpenJob> {
  return openPolling<object>({
    ...surrounding,
    name: 'service-lab-catalogue',
    facts: { shape: z.object({}), empty: () => ({}) },
    cycle: (known, signal) => cycle(client, known, signal),
  });
}

async function* cycle(client: ServiceClient, known: Known<object>, signal: AbortSignal): AsyncGenerator<FetchedEvent[]> {
  const news = (kind: string, page: number, { items, unidentified }: Listed, servedAt: number): FetchedEvent[] => {
    const eventType = `service.${kind}.polled`;
    return [
      ...items
        .filter((data) => known.isNews(`${kind} ${String(data.id)}`, data))
        .map((data) => ({ eventType, userId: null, data, servedAt })),
      ...known.unidentified(eventType, `${kind} ${page}`, unidentified, servedAt),
    ];
  };
  const seen = new Set<string>();
  let asked = 0;
  for (let page = 1; ; page++) {
    const { value, servedAt } = await client.markers({ page, size: PAGE }, signal);
    const before = seen.size;
    for (const { id } of value.items) seen.add(String(id));
    // If the service ignores the page number, the job would otherwise request pages forever.
    if (value.items.length > 0 && seen.size === before)
      throw new ServiceError('AORTA-SERVICE-CURSOR', { operation: 'GET /v3/lab_tests/markers', pages: page });
    yield news('marker', page, value, servedAt);
    const got = value.items.length + value.misshapen;
    asked += got;
    const isLast = value.total === undefined ? value.items.length === 0 : got === 0 || asked >= value.total;
    if (isLast) break;
  }
  let page = 0;
  const tests = everyPage('GET /v3/lab_test', (cursor) => client.labTests({ limit: PAGE, cursor }, signal));
  for await (const { value, servedAt } of tests) yield news('lab_test', ++page, value, servedAt);
}

interface Listed {
  readonly items: readonly { readonly id: unknown }[];
  readonly unidentified: readonly unknown[];
}
