import { everyPage, type ServiceClient } from '@aorta/connectors/service';
import { z } from 'zod';
import { type Known, openPolling, type PollingJobOptions } from './polled-data.ts';
import type { FetchedEvent } from './workers/emitter.ts';
import type { OpenJob } from './workers/job.ts';

/**
 * Opens a job that asks the service how much data it has for each user and how much it has sent. `aorta status` compares the
 * answers with the events that arrived.
 */
export function openSentResources({ client, ...surrounding }: PollingJobOptions): Promise<OpenJob> {
  return openPolling<object>({
    ...surrounding,
    name: 'service-completeness',
    facts: { shape: z.object({}), empty: () => ({}) },
    cycle: (known, signal) => cycle(client, known, signal),
  });
}

async function* cycle(client: ServiceClient, known: Known<object>, signal: AbortSignal): AsyncGenerator<FetchedEvent[]> {
  const pages = everyPage('GET /v2/introspect/resources', (cursor) => client.resources({ cursor }, signal));
  let page = 0;
  for await (const { value, servedAt } of pages) {
    yield known.unidentified('service.resource.polled', String(++page), value.unidentified, servedAt);
    yield value.items
      // The job keeps only a hash for each user, so the state file stays small even with a hundred thousand users.
      .filter((user) => known.isNews(user.user_id, user.provider))
      .flatMap(({ user_id: userId, provider: providers }) =>
        Object.entries(providers).flatMap(([provider, resources]) =>
          Object.entries(resources).map(([resource, statistics]) => ({
            eventType: 'service.resource.polled',
            userId,
            data: { ...statistics, provider, resource },
            servedAt,
          })),
        ),
      );
  }
}
