import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import type { Runner } from './internals.ts';
import { library } from './workarounds.ts';

const require = createRequire(import.meta.url);

beforeAll(() => void library());

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, namespace: (): object => silent };

test('a consumer that stops while its set of brokers changes ends its fetch loops', async () => {
  let brokers = ['1', '2'];
  let looks = 0;
  const answers = new Map<string, () => void>();
  const group = {
    connect: async () => {},
    joinAndSync: async () => {},
    heartbeat: async () => {},
    leave: async () => {},
    getNodeIds: () => {
      // Each fetch looks at the brokers. An endless fetch loop never yields to the event loop, so no timeout could end it.
      if (++looks > 100) throw new Error('the fetch loops do not end');
      return brokers;
    },
    fetch: (broker: string) => new Promise<[]>((resolve) => answers.set(broker, () => resolve([]))),
  };
  const LibraryRunner = require('kafkajs/src/consumer/runner') as new (options: object) => Runner;
  const runner = new LibraryRunner({
    logger: silent,
    consumerGroup: group,
    instrumentationEmitter: { emit: () => {} },
    concurrency: 1,
    eachBatch: async () => {},
    onCrash: () => {},
    retry: { initialRetryTime: 1, factor: 0, retries: 1 },
  });
  await runner.start();
  brokers = ['1', '2', '3'];
  // The loop of broker 1 notices the new broker. The library then waits for the loop of broker 2, before it starts three new loops.
  answers.get('1')!();
  await new Promise((resolve) => setImmediate(resolve));
  const stopping = runner.stop();
  answers.get('2')!();
  await stopping;
  expect(looks).toBeLessThan(20);
});
