import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inUse, partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, temporaryFolder } from '../streams/records.fixture.ts';
import { type LocalLog, openLocalLog } from './local-log.ts';

/** Two streams with the same record type. */
const streams = ['redelivered', 'unrouted'] as const satisfies readonly StreamName[];
type Stream = (typeof streams)[number];

type Action =
  | { kind: 'append'; stream: Stream; count: number; size: number }
  | { kind: 'refused'; stream: Stream }
  | { kind: 'flush' }
  | { kind: 'read'; stream: Stream; from: number; records: number; bytes: number }
  | { kind: 'follow'; stream: Stream; records: number }
  | { kind: 'commit'; stream: Stream; group: string; at: number }
  | { kind: 'reopen' }
  | { kind: 'look' };

const stream = fc.constantFrom(...streams);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream,
      count: fc.integer({ min: 1, max: 12 }),
      size: fc.nat(700),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), stream }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      stream,
      from: share,
      records: fc.integer({ min: 1, max: 20 }),
      bytes: fc.integer({ min: 1, max: 5000 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('follow' as const), stream, records: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('commit' as const), stream, group: fc.constantFrom('a', 'b-1'), at: share }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
);

test('any sequence of appends, flushes, reads, commits and reopenings behaves like a plain list', async () => {
  const base = await temporaryFolder(true);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 60 }),
      fc.record({ blockBytes: fc.integer({ min: 1, max: 1500 }), segmentBytes: fc.integer({ min: 1, max: 15_000 }) }),
      async (actions, sizes) => {
        const folder = join(base, String(run++));
        const options = { folder, ...sizes };
        // The model: the numbers of the durable records, the numbers of the records that wait for a flush, and the committed
        // position of each group.
        const durable = { redelivered: [] as number[], unrouted: [] as number[] };
        const waiting = { redelivered: [] as number[], unrouted: [] as number[] };
        const committed = new Map<string, number>();
        const following = { redelivered: 0, unrouted: 0 };
        const incarnations = new Map<Stream, string>();
        let next = 0;

        const expectSame = (log: LocalLog) => {
          expect(inUse(log).map(({ stream }) => stream)).toEqual(streams.filter((name) => durable[name].length > 0));
          for (const name of streams) {
            expect(log.end(partitionOf(name))).toBe(durable[name].length);
            for (const group of ['a', 'b-1'])
              expect(log.committed(group, partitionOf(name))).toBe(committed.get(`${group} ${name}`));
            if (durable[name].length > 0) {
              expect(incarnations.get(name) ?? log.incarnation(partitionOf(name))).toBe(log.incarnation(partitionOf(name)));
              incarnations.set(name, log.incarnation(partitionOf(name)));
            }
          }
        };
        const read = async (log: LocalLog, name: Stream, from: number, limit: { records: number; bytes: number }) => {
          const batch = await log.read(partitionOf<Stream>(name), from, limit);
          expect(numbersOf(batch.records)).toEqual(durable[name].slice(from, batch.to));
          expect(batch.to - from).toBe(batch.records.length);
          expect(batch.records.length).toBeLessThanOrEqual(limit.records);
          if (from < durable[name].length) expect(batch.to).toBeGreaterThan(from);
          const short = batch.to < Math.min(from + limit.records, durable[name].length);
          if (short) expect(batch.bytes).toBeGreaterThanOrEqual(limit.bytes);
          return batch.to;
        };

        let log = await openLocalLog(options);
        for (const step of actions) {
          switch (step.kind) {
            case 'append':
              for (const _ of range(0, step.count)) {
                log.append(step.stream, numbered(next, step.size));
                waiting[step.stream].push(next++);
              }
              break;
            case 'refused':
              expect(() => log.append(step.stream, { ...numbered(0), body: 5 } as never)).toThrow();
              break;
            case 'flush':
              await log.flush();
              for (const name of streams) durable[name].push(...waiting[name].splice(0));
              break;
            case 'read':
              await read(log, step.stream, Math.floor(step.from * durable[step.stream].length), step);
              break;
            case 'follow':
              following[step.stream] = await read(log, step.stream, following[step.stream], {
                records: step.records,
                bytes: 1e9,
              });
              break;
            case 'commit': {
              const position = Math.floor(step.at * durable[step.stream].length);
              await log.commit(step.group, partitionOf(step.stream), position);
              committed.set(`${step.group} ${step.stream}`, position);
              break;
            }
            case 'reopen':
              await log.close();
              for (const name of streams) waiting[name].length = 0;
              log = await openLocalLog(options);
              expect(log.recovered).toEqual([]);
              break;
            case 'look': {
              const beside = await openLocalLog({ ...options, readOnly: true });
              expectSame(beside);
              for (const name of streams) await read(beside, name, 0, { records: 1e6, bytes: 1e9 });
              await beside.close();
              break;
            }
          }
          expectSame(log);
        }
        for (const name of streams) await read(log, name, 0, { records: 1e6, bytes: 1e9 });
        await log.close();
        await rm(folder, { recursive: true });
      },
    ),
    { numRuns: 150 },
  );
});
