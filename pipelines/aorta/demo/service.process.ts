import { openTimedPublisher } from '@aorta/event-hubs-server';
import { type Send, sendOverHttp, startService } from '@aorta/service';
import type { ParentWord, ServiceProcessOptions, ServiceWord } from './demo-run.ts';
import { demoRouting, webhookTypes } from './hubs.ts';
import { periodOf } from './period.ts';
import { perform } from './scenario/perform.ts';

/*
 * Runs the service of a demonstration. Its clock is virtual: it lets the days of the demonstration pass as fast as it can.
 * Runs in a separate process, so that it shares no thread with the reader. Ends when its parent disconnects.
 */
const options = JSON.parse(process.argv[2]!) as ServiceProcessOptions;
/** Webhooks that wait until the parent has noted the virtual time. */
const noted: (() => void)[] = [];

const tell = (word: ServiceWord): void => {
  // A parent that ends may close the channel at any time. The message is then of no use.
  const ignore = () => {};
  if (process.connected) process.send!(word, undefined, undefined, ignore);
  else for (const release of noted.splice(0)) release();
};

// Ctrl+C in a terminal sends SIGINT to this process as well, but the parent decides when this process ends.
process.on('SIGINT', () => {});

const begun = Promise.withResolvers<void>();
process.on('message', (word: ParentWord) => (word === 'begin' ? begun.resolve() : noted.shift()?.()));

async function run(): Promise<void> {
  const { connection, path, seed, people, days, until, webhook } = options;
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
      if (!process.connected) return 0;
      const status = await sendOverHttp(endpoint, message, signal);
      if (status >= 200 && status < 300) webhooks += 1;
      return status;
    });
    posting = sent;
    return sent;
  };
  const { from, end } = periodOf({ days, until });
  await using served = await startService({
    ...{ path, seed, start: from, runs: false, send },
    // An interrupted demonstration starts over, so the service need not wait for the hubs.
    sendToHub: async ({ hub, events: sent, at }) => {
      events += sent.length;
      await publisher.publish(sent.map((event) => ({ ...event, hub, enqueuedTime: at })));
      return [];
    },
  });
  const { service } = served;
  process.once('disconnect', () => {
    // The parent no longer answers.
    for (const release of noted.splice(0)) release();
    void served[Symbol.asyncDispose]().finally(() => process.exit(0));
  });
  const team = service.teams.create('demonstration');
  const { default_event_hub, event_hub_matchers = [] } = demoRouting;
  service.pipelines.set(team.team_id, {
    push_historical_data: true,
    azure_amqp: {
      ...{ connection_string: connection, compression: 'auto', default_event_hub },
      event_hub_matchers: event_hub_matchers as never,
    },
  });
  service.endpoints.create(team.team_id, { ...webhook, filterTypes: webhookTypes });
  tell({ kind: 'ready', url: served.url, key: team.api_key });
  await begun.promise;
  await perform({ service, team: team.team_id, people, days, until });
  await publisher.flush();
  tell({ kind: 'clock', now: end });
  tell({ kind: 'sent', events, webhooks });
  // The service answers the calls of enrichment until the parent disconnects.
  await new Promise(() => {});
}

try {
  await run();
} catch (error) {
  // The message of a library's error may quote values, so only the error's code or name is sent.
  const { code, name } = error as NodeJS.ErrnoException;
  tell({ kind: 'failed', problem: code ?? name });
  process.disconnect?.();
}
