import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { deliver, messages } from './service.ts';

const problem = await whyNoBroker();

describe.skipIf(problem !== undefined)('two receivers with an intake topic behind a load balancer', () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  let broker: ProvidedBroker;
  let balancer: Server | undefined;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    broker = await provideBroker();
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    balancer?.close();
    await broker.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test('after one of them is killed, every acknowledged message is in the tables once', async () => {
    const streams = `streams: { type: kafka, brokers: ['${broker.brokers}'], prefix: '${randomUUID()}.', partitions: 2 }`;
    const folders = ['first', 'second'].map((name) => join(root, name));
    for (const folder of folders) mkdirSync(folder);
    const receivers = await Promise.all(folders.map((folder) => Receiver.create(folder, [], streams)));
    expect(await aorta(folders[0]!, ['apply'])).toMatchObject({ code: 0 });
    const children = await Promise.all(receivers.map((receiver) => receiver.start()));
    running.push(...children);

    const url = await balanced(receivers.map(({ service }) => Number(new URL(service.url).port)));
    const service = { ...receivers[0]!.service, url };
    const sent = messages(1, 200);
    for (const [number, message] of sent.entries()) {
      if (number === 120) await end(children[0]!, 'SIGKILL');
      await deliver(message, service);
    }
    // The other receiver reads the messages of both, and the loader follows it.
    await end(children[1]!, 'SIGTERM');
    expect(await aorta(folders[1]!, ['run', '--once'])).toMatchObject({ code: 0 });
    const sql = `select count(*) as rows, count(distinct delivery_id) as ids, (select count(*) from activity) as activities
      from deliveries where not redelivered`;
    expect(JSON.parse((await aorta(folders[1]!, ['query', '--json', sql])).stdout)).toEqual([
      { rows: 200, ids: 200, activities: 180 },
    ]);
  });

  /** Starts a load balancer that passes each connection to the next of these ports. Returns the address of the endpoint. */
  async function balanced(ports: readonly number[]): Promise<string> {
    let next = 0;
    balancer = createServer((client) => {
      const port = ports[next % ports.length]!;
      next += 1;
      const receiver = connect({ port, host: '127.0.0.1' });
      client.pipe(receiver).pipe(client);
      for (const [one, other] of [
        [client, receiver],
        [receiver, client],
      ] as const) {
        one.on('error', () => {}).on('close', () => other.destroy());
      }
    });
    await new Promise<void>((listening) => balancer!.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(balancer.address() as { port: number }).port}/webhook`;
  }
});
