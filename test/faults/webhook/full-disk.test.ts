import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { freePorts } from '../../../infra/machine/ports.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta } from '../../e2e/command.ts';
import { SmallDisk } from '../small-disk.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, deliver, messages, post, type SentMessage } from './service.ts';

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
      // 5: an endpoint that is closed because another part cannot write.
      if (answer!.status === 503) expect(['5', '30']).toContain(answer!.headers.get('retry-after'));
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

/** Free space on the full disk, in bytes. Messages and their records compete for it. */
const room = [0, 100_000, 1_000_000];
const cases: readonly { name: string; parts: readonly string[]; free: number; isLogThere?: boolean }[] = [
  ...room.map((free) => ({ name: `all parts with ${free} bytes left`, parts: [], free })),
  { name: '--only ingestion', parts: ['ingestion'], free: 0 },
  { name: 'the log on the same disk', parts: [], free: 0, isLogThere: true },
];

test.each(cases)(
  'if the streams cannot be written, the run waits for space and then continues: $name',
  async ({ parts, free, isLogThere }) => {
    const disk = await SmallDisk.make(96);
    const place = mkdtempSync(join(folder, 'run-'));
    let child: ChildProcess | undefined;
    try {
      mkdirSync(join(place, 'in'));
      const data = join(disk.folder, 'data');
      mkdirSync(data);
      if (isLogThere) symlinkSync(join(data, 'log'), join(place, 'log'));
      const [port] = await freePorts(1);
      const receiver = await Receiver.create(
        place,
        [`{ type: files, name: exports, paths: ['in'], poll_s: 1 }`],
        `streams: { type: local, folder: '${join(data, 'streams')}' }\nhealth: { port: ${port} }`,
        undefined,
        data,
      );
      const { service } = receiver;
      child = await receiver.startParts(parts);
      const get = async (url: string) => {
        const answer = await fetch(url);
        return { status: answer.status, text: await answer.text() };
      };
      const ready = async () => (await get(new URL('/readyz', service.url).href)).status;
      const health = () => get(`http://127.0.0.1:${port}/readyz`);
      const log = () => readFileSync(join(place, 'log'), 'utf8');
      const storedAgain = () => log().match(/messages are stored again/g)?.length ?? 0;
      const sent = messages(2, 300);
      for (const message of sent.slice(0, 20)) await deliver(message, service);
      await until('readiness', ready, 200, log);

      disk.fill(free);
      const file = join(place, 'in', 'export.ndjson');
      writeFileSync(`${file}.part`, exported(LINES));
      renameSync(`${file}.part`, file);
      /** The status of each answer until the messages are stored. Undefined if there was none. */
      const statuses = new Set<number | undefined>();
      const store = async (message: SentMessage): Promise<void> => {
        for (let status: number | undefined; status !== 204; await sleep(service.retryMs)) {
          status = await attempt(message, service);
          statuses.add(status);
        }
      };
      const delivered = Promise.all(sent.slice(20, 150).map(store));
      const isFull = ({ text }: { readonly text: string }) => /waiting for space: .*\(ENOSPC: the disk is full\)/.test(text);
      await until('the wait for space', health, isFull, log);
      // A small message may still fit after a larger one did not.
      const before = storedAgain();
      if (free === 0) expect(before).toBe(0);
      if (!isLogThere) expect(log()).toMatch(/AORTA-DATA-UNWRITABLE.*waiting for space on a disk/);
      for (const message of sent.slice(150, 160)) {
        const answer = await post(message, service);
        expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '30']);
      }
      expect(await ready()).toBe(503);
      expect(child.exitCode).toBe(null);
      expect(storedAgain()).toBe(before);

      disk.makeRoom();
      await takesAtMost(RECOVERED_WITHIN_MS, 'the recovery', async () => {
        await delivered;
        for (const message of sent.slice(150)) await deliver(message, service);
        await until('readiness to turn green', ready, 200, log);
      });
      expect([204, 503]).toEqual(expect.arrayContaining([...statuses]));
      expect(storedAgain()).toBe(before + 1);
      expect((await health()).status).toBe(200);

      await end(child, 'SIGTERM');
      expect(child.exitCode).toBe(0);
      expect(await aorta(place, ['run', '--once'])).toMatchObject({ code: 0 });
      const ids = `count(distinct coalesce(delivery_id, source_partition || '/' || source_offset)) as ids`;
      const sql = `select source, ${ids} from deliveries group by source order by source`;
      expect(JSON.parse((await aorta(place, ['query', '--json', sql])).stdout)).toEqual([
        { source: 'exports', ids: LINES },
        { source: 'webhook', ids: sent.length },
      ]);
      const again = 'select count(*) - count(distinct (source_partition, source_offset, received_at)) as more from deliveries';
      expect(JSON.parse((await aorta(place, ['query', '--json', again])).stdout)).toEqual([{ more: 0 }]);
    } finally {
      child?.kill('SIGKILL');
      await disk.remove();
    }
  },
);

test('a run that starts on a full disk waits for space, too, and SIGTERM ends the wait with code 0', async () => {
  const disk = await SmallDisk.make(64);
  const place = mkdtempSync(join(folder, 'run-'));
  let child: ChildProcess | undefined;
  try {
    const receiver = await Receiver.create(
      place,
      [],
      `streams: { type: local, folder: '${join(disk.folder, 'streams')}' }`,
      undefined,
      disk.folder,
    );
    disk.fill();
    child = await receiver.startSupervised();
    const [message] = messages(3, 1);
    expect((await post(message!, receiver.service))?.status).toBe(503);
    expect(readFileSync(join(place, 'log'), 'utf8')).toMatch(/AORTA-DATA-UNWRITABLE.*waiting for space on a disk/);
    await end(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);

    child = await receiver.startSupervised();
    expect((await post(message!, receiver.service))?.status).toBe(503);
    disk.makeRoom();
    await takesAtMost(RECOVERED_WITHIN_MS, 'the recovery', () => deliver(message!, receiver.service));
    await end(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
  } finally {
    if (child?.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await disk.remove();
  }
});

/** More events than fit into the rest of a block. */
const LINES = 2000;

function exported(count: number): string {
  const event = (number: number) => ({
    event_type: 'daily.data.activity.created',
    user_id: `u-${number % 7}`,
    data: { id: `x-${number}`, calendar_date: '2026-02-01', steps: number, source: { provider: 'oura', type: 'ring' } },
  });
  return Array.from({ length: count }, (_, number) => `${JSON.stringify(event(number))}\n`).join('');
}
