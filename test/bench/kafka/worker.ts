import { mkdirSync } from 'node:fs';
import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import { KafkaSource, type KafkaSourceOptions } from '../../../connectors/kafka/source/source.ts';
import { type IntoTopics, openTopics, sourceSettings, WINDOW } from './into-streams.ts';

/** The result of one worker. */
export interface Share {
  /** Time of the worker's last commit, in milliseconds since 1970. */
  readonly ended: number;
  /** CPU time of all cores until the last commit, in milliseconds. */
  readonly cpu: number;
  readonly deliveries: number;
}

let joined: { readonly go: () => void; readonly share: Promise<Share> } | undefined;

/** Begins to join the group, but reads nothing until {@link share} is called. */
export async function joinGroup({ folder, streams, ...reading }: IntoTopics): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const log = await openTopics(streams);
  const window = await openRedeliveryWindow({ log, folder });
  const start = Promise.withResolvers<void>();
  const open: KafkaSourceOptions['open'] = (connection, options) => waiting(openKafka(connection, options), start.promise);
  const source = new KafkaSource({ settings: sourceSettings(reading), open, window: WINDOW, once: true });
  let before = process.cpuUsage();
  let last = { ended: 0, cpu: 0 };
  const commit = source.commit.bind(source);
  source.commit = async (positions) => {
    await commit(positions);
    const { user, system } = process.cpuUsage(before);
    last = { ended: Date.now(), cpu: (user + system) / 1000 };
  };
  const share = consume(source, log, { window }).then(async ({ tally, error }) => {
    await log.close();
    if (error !== undefined) throw error;
    return { ...last, deliveries: tally.streams.activity ?? 0 };
  });
  share.catch(() => {});
  const go = (): void => {
    before = process.cpuUsage();
    start.resolve();
  };
  joined = { go, share };
}

/** Wraps the client so that it reads nothing until `start` resolves. Meanwhile, all workers can join and get partitions. */
function waiting(client: KafkaClient, start: Promise<void>): KafkaClient {
  return {
    admin: client.admin,
    producer: (options) => client.producer(options),
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
    consume: (options) =>
      client.consume({
        ...options,
        onAssigned: async (partition) => {
          await start;
          return await options.onAssigned(partition);
        },
      }),
  };
}

/** Reads the worker's part of the topic. Ends when the workers together have read the whole topic. */
export async function share(): Promise<Share> {
  joined!.go();
  return await joined!.share;
}
