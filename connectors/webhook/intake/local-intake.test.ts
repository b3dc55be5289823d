import { appendFile, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskOperations, type FileOperations } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { message, newFolder, numberOf, openIntake, take } from './intake.fixture.ts';
import type { LocalIntake, LocalIntakeOptions } from './local-intake.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true }));

const open = (options: Partial<LocalIntakeOptions> = {}): Promise<LocalIntake> => openIntake(folder, options);

describe('LocalIntake', () => {
  test('a delivery has the times, headers, user and body of its message', async () => {
    const intake = await open();
    await intake.append(message(7));
    const { deliveries } = await take(intake);
    expect(deliveries).toEqual([
      {
        source: 'hook',
        partition: expect.stringMatching(/^[0-7]$/),
        offset: 0,
        receivedAt: 1_700_000_000_000_007,
        arrivedAt: 1_700_000_001_000_007,
        headers: new Map([['svix-id', 'msg_7']]),
        key: Buffer.from('user-7'),
        body: message(7).body,
        inline: false,
      },
    ]);
    await intake.close();
  });

  test('all messages of a user are in one partition, in the order of their arrival', async () => {
    const intake = await open();
    await Promise.all(Array.from({ length: 200 }, (_, number) => intake.append(message(number))));
    const { deliveries } = await take(intake);
    const byUser = Map.groupBy(deliveries, ({ key }) => key!.toString());
    expect(byUser.size).toBe(20);
    for (const [user, own] of byUser) {
      expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
      const index = Number(user.split('-')[1]);
      expect(own.map(numberOf)).toEqual(Array.from({ length: 10 }, (_, at) => index + 20 * at));
    }
    for (const own of Map.groupBy(deliveries, ({ partition }) => partition).values()) {
      expect(own.map(({ offset }) => offset)).toEqual(own.map((_, at) => at));
    }
    await intake.close();
  });

  /** The model is a list of appended messages, and the number of messages that a process has committed durably. */
  test('restarts and crashes lose no message, repeat only uncommitted ones, and keep every offset', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('read' as const), batches: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('restart' as const), torn: fc.nat({ max: 200 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.constantFrom(600, 5_000, 1_000_000), async (steps, segmentBytes) => {
        await rm(folder, { recursive: true });
        let intake = await open({ segmentBytes });
        let appended = 0;
        let committed = 0;
        const places = new Map<number, string>();
        for (const one of steps) {
          if (one.kind === 'append') {
            const numbers = Array.from({ length: one.count }, (_, at) => appended + at);
            await Promise.all(numbers.map((number) => intake.append(message(number))));
            appended += one.count;
          } else if (one.kind === 'read') {
            const { deliveries, positions } = await take(intake, one.batches);
            expect(deliveries.map(numberOf)).toEqual(deliveries.map((_, at) => committed + at));
            for (const delivery of deliveries) {
              const place = `${delivery.partition}/${delivery.offset}`;
              expect(places.get(numberOf(delivery)) ?? place).toBe(place);
              places.set(numberOf(delivery), place);
            }
            if (positions.length > 0) await intake.commit(positions);
            committed += deliveries.length;
            await intake.close();
            intake = await open({ segmentBytes });
          } else {
            await intake.close();
            const last = (await readdir(folder))
              .filter((name) => name.endsWith('.intake'))
              .sort()
              .at(-1);
            // A crash may leave the beginning of an append that was never acknowledged.
            if (last !== undefined) await appendFile(join(folder, last), Buffer.alloc(one.torn, 0xa0));
            intake = await open({ segmentBytes });
          }
        }
        const { deliveries } = await take(intake);
        expect(deliveries.map(numberOf)).toEqual(Array.from({ length: appended - committed }, (_, at) => committed + at));
        expect(new Set(places.values()).size).toBe(places.size);
        await intake.close();
      }),
      { numRuns: 25 },
    );
  });

  test('messages within the redelivery window before the committed position are read again as `before`', async () => {
    const first = await open({ segmentBytes: 1, window: 10 });
    for (let number = 0; number < 30; number += 1) await first.append(message(number, 'one user'));
    const { positions } = await take(first);
    await first.commit(positions);
    await first.close();
    const second = await open({ window: 10 });
    await second.append(message(30, 'one user'));
    const { before, deliveries } = await take(second);
    expect(before.map(numberOf)).toEqual(Array.from({ length: 10 }, (_, at) => 20 + at));
    expect(deliveries.map(numberOf)).toEqual([30]);
    await second.close();
  });

  test('committed segments outside the redelivery window are deleted, and offsets continue', async () => {
    const first = await open({ segmentBytes: 1 });
    for (let number = 0; number < 10; number += 1) await first.append(message(number, 'one user'));
    const { positions } = await take(first);
    await first.commit(positions);
    await first.close();
    expect((await readdir(folder)).filter((name) => name.endsWith('.intake'))).toHaveLength(1);
    const second = await open();
    await second.append(message(10, 'one user'));
    expect((await take(second)).deliveries.map(({ offset }) => offset)).toEqual([10]);
    await second.close();
  });

  test('if all segments were deleted, new messages are read, and offsets continue', async () => {
    const first = await open({ segmentBytes: 1 });
    for (let number = 0; number < 5; number += 1) await first.append(message(number, 'one user'));
    await first.commit((await take(first)).positions);
    await first.close();
    for (const name of await readdir(folder)) if (name.endsWith('.intake')) await rm(join(folder, name));
    const second = await open();
    await second.append(message(5, 'one user'));
    expect((await take(second)).deliveries.map((delivery) => [numberOf(delivery), delivery.offset])).toEqual([[5, 5]]);
    await second.close();
  });

  test('committed segments within the redelivery window are kept until they are old', async () => {
    for (const [keepMs, left] of [
      [3_600_000, 11],
      [0, 0],
    ] as const) {
      await rm(folder, { recursive: true });
      const intake = await open({ segmentBytes: 1, window: 1000, keepMs });
      for (let number = 0; number < 11; number += 1) await intake.append(message(number));
      await intake.commit((await take(intake)).positions);
      await intake.close();
      expect((await readdir(folder)).filter((name) => name.endsWith('.intake'))).toHaveLength(left);
    }
  });

  test('backlogBytes() is the size of the messages that are not committed', async () => {
    const intake = await open();
    expect(intake.backlogBytes()).toBe(0);
    await Promise.all(Array.from({ length: 100 }, (_, number) => intake.append(message(number))));
    const bytes = Array.from({ length: 100 }, (_, number) => message(number).body.length).reduce((sum, one) => sum + one);
    expect(intake.backlogBytes()).toBeGreaterThan(bytes);
    expect(intake.backlogBytes()).toBeLessThan(bytes + 100 * 150);
    await intake.commit((await take(intake)).positions);
    expect(intake.backlogBytes()).toBe(0);
    await intake.close();
  });

  test('a reader that waits gets a message as soon as it is durable, and ends when the signal aborts', async () => {
    const intake = await open({ once: false });
    const stop = new AbortController();
    const read: number[] = [];
    const reading = (async () => {
      for await (const { deliveries } of intake.batches(stop.signal)) {
        read.push(...deliveries.map(numberOf));
        if (read.length < 5) await intake.append(message(read.length));
        else stop.abort();
      }
    })();
    await intake.append(message(0));
    await reading;
    expect(read).toEqual([0, 1, 2, 3, 4]);
    await intake.close();
  });
});

describe('a failing disk', () => {
  /** Operations that fail while `failing` is true, after writing half of the bytes. */
  class FailingDisk implements FileOperations {
    failing: 'write' | 'sync' | undefined;

    async openSegment(path: string, flags: 'wx' | 'r+') {
      const file = await diskOperations.openSegment(path, flags);
      return {
        write: (buffer: Buffer, offset: number, length: number, position: number) => {
          if (this.failing === 'write') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          return file.write(buffer, offset, length, position);
        },
        datasync: async () => {
          if (this.failing === 'sync') throw Object.assign(new Error('broken'), { code: 'EIO' });
          await file.datasync();
        },
        truncate: (length: number) => file.truncate(length),
        close: () => file.close(),
        [Symbol.asyncDispose]: () => file.close(),
      };
    }

    syncFolder(path: string): Promise<void> {
      return diskOperations.syncFolder(path);
    }
  }

  test.each(['write', 'sync'] as const)(
    'a failed %s refuses its messages, and the log recovers with the disk',
    async (failing) => {
      const operations = new FailingDisk();
      const intake = await open({ operations });
      await intake.append(message(0));
      operations.failing = failing;
      const refused = await Promise.allSettled([intake.append(message(1)), intake.append(message(2))]);
      expect(refused).toMatchObject([1, 2].map(() => ({ reason: { code: 'AORTA-DATA-UNWRITABLE' } })));
      operations.failing = undefined;
      await intake.append(message(3));
      expect((await take(intake)).deliveries.map(numberOf)).toEqual([0, 3]);
      await intake.close();
      const later = await open();
      expect((await take(later)).deliveries.map(numberOf)).toEqual([0, 3]);
      await later.close();
    },
  );

  test('a message is refused if the end of the log cannot be written, and the log recovers', async () => {
    const intake = await open();
    await mkdir(join(folder, 'ends.ndjson'));
    await expect(intake.append(message(0))).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
    await rmdir(join(folder, 'ends.ndjson'));
    await intake.append(message(1));
    expect((await take(intake)).deliveries.map(numberOf)).toEqual([1]);
    await intake.close();
    const later = await open();
    expect((await take(later)).deliveries.map(numberOf)).toEqual([1]);
    await later.close();
  });
});
