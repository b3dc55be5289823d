import { setTimeout } from 'node:timers/promises';
import { openTimedPublisher } from '@aorta/event-hubs-server';
import { homeZoneOf, type Send, type Service, StateError, sendOverHttp, startService } from '@aorta/service';
import type { ParentMessage, ServiceMessage, ServiceProcessOptions } from './demo-service.ts';
import { demoRouting, webhookTypes } from './hubs.ts';
import { periodOf } from './period.ts';
import { createTeam, perform } from './scenario.ts';

/*
 * Runs the service of a demonstration. Its clock is virtual: it lets the days of the demonstration pass as fast as it can.
 * Runs in a separate process, so that it shares no thread with the reader. Ends when its parent disconnects.
 */

/** Milliseconds between two readings of this machine's clock. */
const REST_MS = 500;
const options = JSON.parse(process.argv[2]!) as ServiceProcessOptions;
/** Webhooks that wait until the parent has noted the virtual time. */
const noted: (() => void)[] = [];

const tell = (message: ServiceMessage): void => {
  // A parent that ends may close the channel at any time. The message is then of no use, and this process ends.
  if (process.connected) process.send!(message, undefined, undefined, () => {});
};

// The parent has ended. The next run repeats everything that is not in the state yet.
process.once('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

// Ctrl+C in a terminal sends SIGINT to this process as well, but the parent decides when this process ends.
process.on('SIGINT', () => {});

const begun = Promise.withResolvers<void>();
const staying = Promise.withResolvers<void>();
process.on('message', (message: ParentMessage) => {
  if (message === 'noted') noted.shift()?.();
  else (message === 'begin' ? begun : staying).resolve();
});

/** Lets the service send to this run's hubs and endpoint. Returns a key of the API, and the secret that signs webhooks. */
function connect(service: Service): { readonly key: string; readonly secret: string } {
  const { course, connection, webhook } = options;
  const team = service.teams.list()[0]?.team_id ?? createTeam(service, course.people, homeZoneOf);
  const { default_event_hub, event_hub_matchers = [] } = demoRouting;
  service.pipelines.set(team, {
    push_historical_data: true,
    azure_amqp: {
      connection_string: connection,
      compression: 'auto',
      default_event_hub,
      event_hub_matchers: event_hub_matchers as never,
    },
  });
  const [known] = service.endpoints.list(team);
  const endpoint =
    known === undefined
      ? service.endpoints.create(team, { url: webhook, filterTypes: webhookTypes })
      : service.endpoints.change(known.endpoint_id, { url: webhook })!;
  return { key: service.teams.addKey(team), secret: endpoint.secrets[0]!.key };
}

async function run(): Promise<void> {
  const { connection, path, seed, course, end } = options;
  await using publisher = openTimedPublisher(connection);
  let events = 0;
  let webhooks = 0;
  let posting: Promise<unknown> = Promise.resolve();
  /** Posts the webhooks one at a time, so that their order depends only on the seed. */
  const send: Send = (endpoint, message, signal) => {
    const sent = posting.then(async () => {
      await new Promise<void>((resolve) => {
        noted.push(resolve);
        tell({ kind: 'clock', now: message.at });
      });
      const status = await sendOverHttp(endpoint, message, signal);
      if (status >= 200 && status < 300) webhooks += 1;
      return status;
    });
    posting = sent;
    return sent;
  };
  const { from } = periodOf({ days: course.days, until: course.first });
  await using served = await startService({
    path,
    seed,
    start: from,
    runs: false,
    send,
    sendToHub: async ({ hub, events: sent, at }) => {
      await publisher.publish(sent.map((event) => ({ ...event, hub, enqueuedTime: at })));
      events += sent.length;
      return [];
    },
  });
  const { service, url, controlUrl } = served;
  tell({ kind: 'ready', url, controlUrl, ...service.atomically(() => connect(service)) });
  await begun.promise;
  await perform(service, course, end);
  tell({ kind: 'clock', now: service.clock.now() });
  tell({ kind: 'sent', events, webhooks });
  // The service answers the calls of enrichment while it waits.
  await staying.promise;
  // The clock does not run by itself, so that a later run lives through the time until it starts.
  for (;;) {
    await perform(service, course, Date.now());
    await setTimeout(REST_MS);
  }
}

try {
  await run();
} catch (error) {
  // The message of a library's error may quote values, so only the error's code or name is sent.
  const { code, name } = error as NodeJS.ErrnoException;
  tell(error instanceof StateError ? { kind: 'unusable', problem: error.message } : { kind: 'failed', problem: code ?? name });
  process.disconnect?.();
}
