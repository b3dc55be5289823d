import { rm } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { diskOperations, type FileOperations } from '../../infra/runtime/files/file-operations.ts';
import { partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, readAll, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { startTalking } from './child-process.fixture.ts';
import { openLocalLog, openLocalLogOn } from './local-log.ts';

const appending = fileURLToPath(new URL('./appender.process.ts', import.meta.url));

async function expectNumbers(folder: string, atLeast: number): Promise<number> {
  const log = await openLocalLog({ folder });
  const ends = [log.end(partitionOf('unrouted')), log.end(partitionOf('redelivered'))];
  for (const stream of ['unrouted', 'redelivered'] as const) {
    expect(log.end(partitionOf(stream))).toBeGreaterThanOrEqual(atLeast);
    const records = await readAll(log, stream, 500);
    expect(numbersOf(records)).toEqual(range(0, log.end(partitionOf(stream))));
    for (const record of records) {
      const number = record.receipt.offset;
      expect(record.body.equals(Buffer.alloc((number * 7919) % 3000, number % 251))).toBe(true);
    }
  }
  // Makes both streams the same length, because the next process derives its first record number from the end of `unrouted`.
  const behind = ends[0]! < ends[1]! ? 'unrouted' : 'redelivered';
  const ahead = behind === 'unrouted' ? 'redelivered' : 'unrouted';
  const { records } = await log.read(partitionOf<typeof ahead>(ahead), log.end(partitionOf(behind)), {
    records: 1e6,
    bytes: 1e9,
  });
  for (const record of records) log.append(behind, record);
  await log.flush();
  await log.close();
  return Math.max(...ends);
}

test('a process killed at any moment loses no durable record, and the stream ends with a complete block', async () => {
  const folder = await temporaryFolder();
  let durable = 0;
  for (let round = 0; round < 10; round += 1) {
    const writer = startTalking(process.execPath, [appending, folder, String([300, 20_000, 1_000_000][round % 3]), '2000000']);
    const rounds = 1 + Math.floor(Math.random() * 12);
    for (let seen = 0; seen < rounds; seen += 1) {
      const said = Number(await writer.line());
      expect(said).toBeGreaterThan(durable);
      durable = said;
    }
    await after(Math.random() * 8);
    await writer.kill();
    for (let said = await writer.line(); said !== undefined; said = await writer.line()) durable = Number(said);
    durable = await expectNumbers(folder, durable);
  }
  expect((await segmentsOf(folder, 'unrouted')).length).toBeGreaterThan(1);
});

test('if the file size limit interrupts a write, the log reports the failure, and a reopened log has every durable record', async (context) => {
  if (process.platform === 'win32') context.skip('ulimit is not available here');
  const folder = await temporaryFolder();
  const limited = startTalking('sh', [
    '-c',
    'ulimit -f 600; exec "$0" "$@"',
    process.execPath,
    appending,
    folder,
    '100000',
    '1000000000',
  ]);
  let durable = 0;
  let said = await limited.line();
  for (; /^[0-9]+$/.test(said ?? ''); said = await limited.line()) durable = Number(said);
  expect(said).toBe('AORTA-DATA-UNWRITABLE EFBIG');
  expect(durable).toBeGreaterThan(0);
  await limited.kill();
  await expectNumbers(folder, durable);
});

/**
 * Simulates a disk that accepts `room.bytes` bytes of segment data and then rejects writes. It may accept only a part of the last
 * write. After `room.syncs` syncs, it rejects further syncs.
 */
function diskOf(room: { bytes: number; syncs: number }): FileOperations {
  const refuse = (code: string) => Object.assign(new Error('PLANTED'), { code });
  return {
    syncFolder: diskOperations.syncFolder,
    openSegment: async (path, flags) => {
      const file = await diskOperations.openSegment(path, flags);
      return {
        write: async (buffer, offset, length, position) => {
          if (room.bytes === 0) throw refuse('ENOSPC');
          const written = await file.write(buffer, offset, Math.min(length, room.bytes), position);
          room.bytes -= written.bytesWritten;
          return written;
        },
        datasync: async () => {
          room.syncs -= 1;
          if (room.syncs < 0) throw refuse('EIO');
          await file.datasync();
        },
        truncate: (length) => file.truncate(length),
        close: () => file.close(),
        [Symbol.asyncDispose]: () => file.close(),
      };
    },
  };
}

test('a log on a full disk rejects writes but can be read, and a reopened log continues after the last durable record', async () => {
  const folder = await temporaryFolder();
  for (let room = 0; room < 12_000; room += 371) {
    await rm(folder, { recursive: true });
    const log = await openLocalLogOn(
      { folder, blockBytes: 700, segmentBytes: 3000 },
      diskOf({ bytes: room, syncs: Number.POSITIVE_INFINITY }),
    );
    let appended = 0;
    let durable = 0;
    let failure: unknown;
    while (failure === undefined) {
      for (let index = 0; index < 5; index += 1) log.append('unrouted', numbered(appended++, 200));
      try {
        await log.flush();
        durable = appended;
      } catch (error) {
        failure = error;
      }
    }
    expect(failure).toMatchObject({
      code: 'AORTA-DATA-UNWRITABLE',
      details: { code: 'ENOSPC', path: expect.stringContaining('unrouted') },
    });
    expect(String(failure)).not.toContain('PLANTED');
    expect(() => log.append('unrouted', numbered(0))).toThrow(failure as Error);
    await expect(log.flush()).rejects.toBe(failure);
    expect(log.end(partitionOf('unrouted'))).toBe(durable);
    expect(numbersOf(await readAll(log, 'unrouted'))).toEqual(range(0, durable));
    await log.close();

    const again = await openLocalLog({ folder });
    // The failed flush removed the blocks that it had written.
    expect([again.end(partitionOf('unrouted')), again.recovered]).toEqual([durable, []]);
    again.append('unrouted', numbered(durable));
    await again.flush();
    expect(numbersOf(await readAll(again, 'unrouted'))).toEqual(range(0, durable + 1));
    await again.close();
  }
});

test('if the sync during a flush fails, a reopened log does not contain the blocks of that flush', async () => {
  const folder = await temporaryFolder();
  const room = { bytes: Number.POSITIVE_INFINITY, syncs: Number.POSITIVE_INFINITY };
  const log = await openLocalLogOn({ folder }, diskOf(room));
  for (const number of range(0, 3)) log.append('unrouted', numbered(number));
  await log.flush();
  room.syncs = 0;
  log.append('unrouted', numbered(3));
  log.append('redelivered', numbered(0));
  await expect(log.flush()).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE', details: { code: 'EIO' } });
  expect([log.end(partitionOf('unrouted')), log.end(partitionOf('redelivered'))]).toEqual([3, 0]);
  await log.close();
  const again = await openLocalLog({ folder });
  expect([again.end(partitionOf('unrouted')), again.end(partitionOf('redelivered'))]).toEqual([3, 0]);
  await again.close();
});
