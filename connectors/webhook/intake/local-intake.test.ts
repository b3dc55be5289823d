import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskOperations, type FileOperations, type Logger, Progress, silentLogger } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../source.ts';
import type { Message } from '../message.ts';
import type { LocalPosition } from './checkpoint.ts';
import { LocalIntake, type LocalIntakeOptions } from './local-intake.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intake-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Fails the test if the log reports anything. */
const strictLogger: Logger = {
  ...silentLogger,
  error: (event, fields) => {
    throw new Error(`${event}: ${JSON.stringify(fields)}`);
  },
};

const open = (options: Partial<LocalIntakeOptions> = {}): Promise<LocalIntake> =>
  LocalIntake.open({
    source: 'hook',
    folder,
    window: 0,
    keepMs: 3_600_000,
    once: true,
    logger: strictLogger,
    progress: new Progress(),
    ...options,
  });

function message(number: number, user: string | null = `user-${number % 20}`): Message {
  const body = Buffer.from(JSON.stringify({ number, padding: 'x'.repeat(number % 700) }));
  return {
    receivedAt: 1_700_000_000_000_000 + number,
    arrivedAt: 1_700_000_001_000_000 + number,
    user,
    headers: new Map([['svix-id', `msg_${number}`]]),
    body,
  };
}

const numberOf = ({ body }: Delivery): number => JSON.parse(body.toString()).number;

interface Taken {
  readonly deliveries: readonly Delivery[];
  readonly before: readonly Delivery[];
  readonly positions: readonly LocalPosition[];
}

/** Reads at most `limit` batches. */
async function take(intake: LocalIntake, limit = Number.POSITIVE_INFINITY): Promise<Taken> {
  const deliveries: Delivery[] = [];
  const before: Delivery[] = [];
  const positions: LocalPosition[] = [];
  for await (const batch of intake.batches(new AbortController().signal)) {
    (batch.before === true ? before : deliveries).push(...batch.deliveries);
    positions.push(batch.position);
    if (positions.length >= limit) break;
  }
  return { deliveries, before, positions };
}

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

describe('damage', () => {
  const lines: { readonly msg: string; readonly fields: object | undefined }[] = [];
  const logger: Logger = { ...silentLogger, error: (msg, fields) => void lines.push({ msg, fields }) };
  beforeEach(() => {
    lines.length = 0;
  });

  test('damage between messages is reported with its bytes, and all other messages are read', async () => {
    const intake = await open();
    for (let number = 0; number < 10; number += 1) await intake.append(message(number));
    await intake.close();
    const path = join(folder, '0000000000.intake');
    const bytes = await readFile(path);
    const at = bytes.indexOf('"number":4');
    bytes.writeUInt8(bytes[at]! ^ 1, at);
    await writeFile(path, bytes);
    const second = await open({ logger });
    expect((await take(second)).deliveries.map(numberOf)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
    expect(lines).toMatchObject([{ msg: 'intake log damaged', fields: { code: 'AORTA-WEBHOOK-INTAKE-DAMAGED' } }]);
    await second.close();
  });

  test('a damaged end of a segment with a successor is reported', async () => {
    const intake = await open({ segmentBytes: 1 });
    for (let number = 0; number < 2; number += 1) await intake.append(message(number));
    await intake.close();
    const path = join(folder, '0000000000.intake');
    await truncate(path, (await readFile(path)).length - 3);
    const second = await open({ logger });
    expect((await take(second)).deliveries.map(numberOf)).toEqual([1]);
    expect(lines).toMatchObject([{ fields: { code: 'AORTA-WEBHOOK-INTAKE-DAMAGED' } }]);
    await second.close();
  });

  test('the torn end of the last segment is not reported', async () => {
    const intake = await open();
    for (let number = 0; number < 2; number += 1) await intake.append(message(number));
    await intake.close();
    const path = join(folder, '0000000000.intake');
    await truncate(path, (await readFile(path)).length - 3);
    const second = await open({ logger });
    expect((await take(second)).deliveries.map(numberOf)).toEqual([0]);
    expect(lines).toEqual([]);
    await second.close();
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
});
