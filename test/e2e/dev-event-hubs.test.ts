import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventHubProducerClient } from '@azure/event-hubs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-dev-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Facts {
  readonly port: number;
  readonly control_port: number;
  readonly connection_string: string;
  readonly hubs: readonly object[];
}

/** Runs `aorta dev` until `work` is done, and then stops the process with a signal. Returns the exit code. */
async function served(words: readonly string[], signal: 'SIGINT' | 'SIGTERM', work: (facts: Facts) => Promise<void>) {
  const free = ['--port', '0', '--control-port', '0'];
  const command = [program, 'dev', 'event-hubs', ...free, '--json', ...words];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    await work(JSON.parse(line) as Facts);
  } finally {
    child.kill(signal);
  }
  const [code] = await exited;
  return code as number;
}

test('an official client works with the printed connection string, and the events in the folder survive a restart', async () => {
  const words = ['--hub', 'daily:3', '--hub', 'rest:1', '--folder', 'hubs'];
  const last = async ({ connection_string }: Facts, events: number) => {
    const producer = new EventHubProducerClient(connection_string, 'daily');
    if (events > 0) await producer.sendBatch(Array(events).fill({ body: 'x' }), { partitionId: '2' });
    const { lastEnqueuedSequenceNumber } = await producer.getPartitionProperties('2');
    await producer.close();
    return lastEnqueuedSequenceNumber;
  };
  const first = await served(words, 'SIGINT', async (facts) => {
    expect(facts.hubs).toEqual([
      { name: 'daily', partitions: 3 },
      { name: 'rest', partitions: 1 },
    ]);
    expect(await last(facts, 5)).toBe(4);
    const taken = await aorta(folder, ['dev', 'event-hubs', '--port', String(facts.port), '--control-port', '0']);
    expect([taken.code, taken.stdout]).toEqual([2, '']);
    expect(taken.stderr).toContain(`port ${facts.port} is in use`);
  });
  expect(first).toBe(130);
  expect(await served(words, 'SIGTERM', async (facts) => expect(await last(facts, 0)).toBe(4))).toBe(0);
});

test('a page in a browser cannot rotate the key, and --allowed-hosts allows the name of another machine', async () => {
  await served(['--allowed-hosts', 'host.docker.internal'], 'SIGTERM', async ({ control_port: port, connection_string }) => {
    const rotated = async (headers: Record<string, string>): Promise<number> => {
      const asked = request({ host: '127.0.0.1', port, path: '/rotateKey', method: 'POST', headers }).end('{"key":"x"}');
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode!;
    };
    expect(await rotated({ origin: 'https://evil.example', 'content-type': 'text/plain' })).toBe(403);
    expect(await rotated({ host: 'evil.example' })).toBe(403);
    // The key is still the printed one.
    const producer = new EventHubProducerClient(connection_string, 'health-events');
    expect((await producer.getPartitionIds()).length).toBe(4);
    await producer.close();
    expect(await rotated({ host: `host.docker.internal:${port}` })).toBe(200);
  });
});
