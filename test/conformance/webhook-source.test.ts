import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { LocalIntake } from '../../connectors/webhook/intake/local-intake.ts';
import type { Message } from '../../connectors/webhook/message.ts';
import { WebhookSource } from '../../connectors/webhook/module.ts';
import { webhookSourceOptions } from '../../connectors/webhook/options.ts';
import { type Sent, sourceConformance } from './source.ts';

const settings = webhookSourceOptions.parse({
  type: 'webhook',
  listen: '127.0.0.1:0',
  secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
});

// The suite chooses the partition of each delivery, so the messages do not get theirs from their users.
sourceConformance('webhook', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-'));
  const chosen = new Map<Message, number>();
  /** One process writes at a time, so the appends of a test run one after the other. */
  let last = Promise.resolve();
  const openIntake = (window: number): Promise<LocalIntake> =>
    LocalIntake.open({
      source: 'webhook',
      folder: join(folder, 'intake'),
      window,
      keepMs: 3_600_000,
      once: true,
      logger: silentLogger,
      progress: new Progress(),
      onProblem: (error) => {
        throw error;
      },
      segmentBytes: 64 * 1024,
      partitionOf: (message) => chosen.get(message)!,
    });
  const append = async (partition: number, deliveries: readonly Sent[]): Promise<void> => {
    const intake = await openIntake(0);
    const messages = deliveries.map(({ body, headers, key }, at) => {
      const time = (1_700_000_000_000 + at) * 1000;
      return { receivedAt: time, arrivedAt: time, user: key, headers: new Map(Object.entries(headers)), body };
    });
    for (const message of messages) chosen.set(message, partition);
    await Promise.all(messages.map((message) => intake.append(message)));
    await intake.close();
  };
  return {
    partitions: Array.from({ length: count }, (_, partition) => String(partition)),
    put: (partition, deliveries) => {
      last = last.then(() => append(partition, deliveries));
      return last;
    },
    open: async ({ window }) =>
      new WebhookSource({
        settings,
        intake: await openIntake(window),
        once: true,
        logger: silentLogger,
        metrics: silentMetrics,
        progress: new Progress(),
      }),
    remove: () => rm(folder, { recursive: true }),
  };
});
