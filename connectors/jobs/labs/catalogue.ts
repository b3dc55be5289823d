import { everyPage, type ServiceClient } from '@aorta/service-client';
import { z } from 'zod';
import type { FetchedEvent, FetchingJob } from '../fetching/fetched.ts';
import { type Known, openPolling } from '../fetching/polling.ts';
import type { PollingSurrounding } from '../users/users.ts';

const PAGE = 100;

/** Asks for all markers and lab tests of the team: small tables that results and orders refer to. */
export async function openLabCatalogue({ client, ...surrounding }: PollingSurrounding): Promise<FetchingJob> {
  return (await openPolling<object>({
    ...surrounding,
    name: 'service-lab-catalogue',
    facts: { shape: z.object({}), empty: () => ({}) },
    cycle: (known, signal) => cycle(client, known, signal),
  })) as FetchingJob;
}

async function* cycle(client: ServiceClient, known: Known<object>, signal: AbortSignal): AsyncGenerator<FetchedEvent[]> {
  const news = (kind: string, items: readonly { readonly id: unknown }[], servedAt: number): FetchedEvent[] =>
    items
      .filter((data) => known.isNews(`${kind} ${String(data.id)}`, data))
      .map((data) => ({ eventType: `service.${kind}.polled`, userId: null, data, servedAt }));
  let asked = 0;
  for (let page = 1; ; page++) {
    const { value, servedAt } = await client.markers({ page, size: PAGE }, signal);
    yield news('marker', value.items, servedAt);
    const got = value.items.length + value.misshapen;
    asked += got;
    if (got === 0 || (value.total !== undefined && asked >= value.total)) break;
  }
  const tests = everyPage('GET /v3/lab_test', (cursor) => client.labTests({ limit: PAGE, cursor }, signal));
  for await (const { value, servedAt } of tests) yield news('lab_test', value.items, servedAt);
}
