import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta } from '../../e2e/command.ts';
import { SmallDisk } from '../small-disk.ts';
import { end, Receiver } from './receiver.ts';
import { deliver, messages, post } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RECOVERED_WITHIN_MS = 30_000;

test('on a full disk the endpoint answers 503 and is not ready, and it recovers by itself when there is room', async () => {
  const disk = await SmallDisk.make(96);
  try {
    const receiver = await Receiver.create(folder, [], `streams: { type: local, folder: '${join(disk.folder, 'streams')}' }`);
    const { service } = receiver;
    const child = await receiver.start();
    const ready = async () => (await fetch(new URL('/readyz', service.url))).status;
    const sent = messages(1, 60);
    for (const message of sent.slice(0, 20)) await deliver(message, service);
    expect(await ready()).toBe(200);

    disk.fill();
    const refused: number[] = [];
    for (const message of sent.slice(20, 40)) {
      const answer = await post(message, service);
      refused.push(answer!.status);
      if (answer!.status === 503) expect(answer!.headers.get('retry-after')).toBe('30');
    }
    // A few messages may still fit into the last block of the segment.
    expect(refused.at(-1)).toBe(503);
    expect(refused.every((status) => status === 503 || status === 204)).toBe(true);
    expect(await ready()).toBe(503);
    expect(child.exitCode).toBe(null);
    const log = readFileSync(join(folder, 'log'), 'utf8');
    expect(log).toContain('messages cannot be stored');
    expect(log).toContain('AORTA-DATA-UNWRITABLE');

    disk.makeRoom();
    await takesAtMost(RECOVERED_WITHIN_MS, 'the recovery', async () => {
      for (const message of sent.slice(20)) await deliver(message, service);
      await until('readiness to turn green', ready, 200);
    });
    expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('messages are stored again');

    await end(child, 'SIGTERM');
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    const sql = 'select count(*) as rows, count(distinct delivery_id) as ids from deliveries where not redelivered';
    expect(JSON.parse((await aorta(folder, ['query', '--json', sql])).stdout)).toEqual([{ rows: 60, ids: 60 }]);
  } finally {
    await disk.remove();
  }
});
