import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProbeSurroundings } from '../source.ts';
import type { FoundReceipts, ReceiptPlace } from '../stream-log.ts';
import { type CommittedPartition, missingRecords, openStreamsId } from './committed-record.ts';

let folder: string;
let state: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'committed-record-'));
  state = join(folder, 'sources', 'kafka');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function committed(partition: string, offset: number, streams?: string): CommittedPartition {
  return { partition, offset, streams, rewind: (from) => `go to ${from}` };
}

/** Compares commits with streams that answer `found`. Also returns what the streams were asked for. */
async function compared(found: FoundReceipts | undefined, ...partitions: readonly CommittedPartition[]) {
  const asked: ReceiptPlace[] = [];
  const surroundings: ProbeSurroundings = {
    stateOf: () => state,
    patience: { connectMs: 1, requestMs: 1 },
    receipts: async (wanted) => {
      asked.push(...wanted);
      return found;
    },
  };
  return { findings: await missingRecords({ source: 'kafka', group: 'g' }, partitions, surroundings), asked };
}

test('the id of the streams stays the same until its file is lost or damaged', async () => {
  const id = await openStreamsId(state);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(await openStreamsId(state)).toBe(id);
  await writeFile(`${state}.streams.json`, '{"x');
  const next = await openStreamsId(state);
  expect(next).not.toBe(id);
  expect(await openStreamsId(state)).toBe(next);
});

test('nothing is reported if the streams have the last record of each partition, or if they are shared', async () => {
  const partitions = [committed('a/0', 4), committed('a/1', 7)];
  const { findings, asked } = await compared({ highest: [4, 9], isComplete: false }, ...partitions);
  expect([findings, asked]).toEqual([
    [],
    [
      { source: 'kafka', partition: 'a/0', offset: 4 },
      { source: 'kafka', partition: 'a/1', offset: 7 },
    ],
  ]);
  expect((await compared(undefined, ...partitions)).findings).toEqual([]);
});

test('without a commit, the streams are not read', async () => {
  expect(await compared({ highest: [], isComplete: true })).toEqual({ findings: [], asked: [] });
});

test('if only a part of the records was read, the finding names the deep check and is no failure', async () => {
  const id = await openStreamsId(state);
  const { findings } = await compared({ highest: [4, 6], isComplete: false }, committed('a/0', 4), committed('a/1', 7, id));
  expect(findings).toEqual([
    {
      check: 'receipts kafka',
      state: 'ok',
      found: 'the last receipts of 1 of 2 partitions are not in the newest records',
      remedy: expect.stringContaining('`aorta doctor --deep`'),
    },
  ]);
});

test('a missing record that these streams had is a failure, and its remedy begins after the last receipt', async () => {
  const id = await openStreamsId(state);
  const { findings } = await compared(
    { highest: [3, undefined], isComplete: true },
    committed('a/0', 5, id),
    committed('a/1', 0, id),
  );
  expect(findings).toMatchObject([
    { check: 'receipts kafka', state: 'fail', found: expect.stringMatching(/partition a\/0 .* offset 5,.* is 3\.$/) },
    { check: 'receipts kafka', state: 'fail', found: expect.stringMatching(/partition a\/1 .* offset 0,.* is none\.$/) },
  ]);
  expect(findings.map(({ remedy }) => /go to \d+/.exec(remedy ?? '')?.[0])).toEqual(['go to 4', 'go to 0']);
});

test('missing records that other or unknown streams took are one warning, which names at most eight partitions', async () => {
  const id = await openStreamsId(state);
  const others = Array.from({ length: 10 }, (_, partition) =>
    committed(`a/${partition}`, partition, partition < 5 ? 'abc' : undefined),
  );
  const highest = [...others.map(() => undefined), 1];
  const { findings } = await compared({ highest, isComplete: true }, ...others, committed('b/0', 2, id));
  expect(findings).toMatchObject([
    { state: 'fail', found: expect.stringContaining('b/0') },
    { state: 'warn', found: expect.stringMatching(/\(a\/0 up to 0, .*, a\/7 up to 7 and 2 more\)/) },
  ]);
});

test('a commit of streams that were deleted is a warning, because the new streams have no id or a different one', async () => {
  const id = await openStreamsId(state);
  await rm(folder, { recursive: true });
  const found = { highest: [undefined], isComplete: true };
  expect((await compared(found, committed('a/0', 5, id))).findings).toMatchObject([{ state: 'warn' }]);
  await openStreamsId(state);
  expect((await compared(found, committed('a/0', 5, id))).findings).toMatchObject([{ state: 'warn' }]);
});
