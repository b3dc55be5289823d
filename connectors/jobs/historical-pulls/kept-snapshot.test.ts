import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptState } from '@aorta/streams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completion } from '../completion.fixture.ts';
import { pullsMemoryInTopic } from './kept-snapshot.ts';
import type { PullsMemory } from './pulls-memory.ts';
import { forgetPullsOf, pullsMemoryInFiles } from './snapshot.ts';
import { Tracker } from './tracker.ts';

let folder: string;
let entries: Map<string, string>;
let written: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
  entries = new Map();
  written = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As a worker opens it: what was kept until then. */
const inTopic = (): PullsMemory =>
  pullsMemoryInTopic({
    take: () => new Map(entries),
    write: async (some: readonly (readonly [string, string | null])[]) => {
      for (const [name, text] of some) {
        written.push(name);
        if (text === null) entries.delete(name);
        else entries.set(name, text);
      }
    },
    close: async () => {},
  } as unknown as KeptState);

/** A tracker that has heard of the end of a pull of each of these users. */
function tracker(...users: readonly string[]): Tracker {
  const made = new Tracker();
  hear(made, ...users);
  return made;
}
function hear(one: Tracker, ...users: readonly string[]): void {
  for (const [index, userId] of users.entries()) {
    const record = completion(index);
    one.hear('historical_completions', { ...record, event: { ...record.event, user_id: userId } });
  }
  one.fold();
}

const positions = { connections: { incarnation: 'a', position: 3 }, 'introspection_polls/2': { incarnation: 'b', position: 7 } };
const notice = (at: number) => ({
  at,
  notice: { event: 'historical_pull.failed', provider: 'oura', resource: 'sleep', error_details: null } as never,
});
const owed = [
  ['["u-1","oura","sleep"]', notice(5)],
  ['["u-2","oura","sleep"]', notice(6)],
] as const;

test.each([
  ['files', () => pullsMemoryInFiles(folder)],
  ['a topic', inTopic],
])('in %s stands what was written last', async (_, open) => {
  const first = open();
  expect([await first.read(), await first.readSent()].map((one) => one ?? [])).toEqual(
    first.ofTheseStreams ? [[], []] : [{ positions: {}, owed: undefined, users: [] }, []],
  );
  const made = tracker('u-1', 'u-2');
  await first.write(made, made.takeChanged(), positions, owed);
  await first.writeSent(['x', 'y']);
  const [second, users] = [open(), [...made.snapshot()]];
  expect(users).toHaveLength(2);
  expect(await second.read()).toEqual({ positions, owed, users });
  expect(await second.readSent()).toEqual(['x', 'y']);
  const moved = { ...positions, connections: { incarnation: 'a', position: 9 } };
  hear(made, 'u-3');
  await second.write(made, made.takeChanged(), moved, owed.slice(1));
  await second.writeSent(['y', 'z']);
  expect(await open().read()).toEqual({ positions: moved, owed: owed.slice(1), users: [...made.snapshot()] });
  expect(await open().readSent()).toEqual(['y', 'z']);
});

test('a topic gets what has changed, positions behind the users', async () => {
  const memory = inTopic();
  const made = tracker('u-1', 'u-2');
  await memory.write(made, made.takeChanged(), positions, undefined);
  expect(written).toEqual(['user/u-1', 'user/u-2', 'position/connections', 'position/introspection_polls/2']);
  written.length = 0;
  await memory.write(made, made.takeChanged(), positions, undefined);
  expect(written).toEqual([]);
  hear(made, 'u-2', 'u-3');
  await memory.write(made, made.takeChanged(), positions, owed);
  expect(written).toEqual(['user/u-2', 'user/u-3', ...owed.map(([pull]) => `owed/${pull}`)]);
});

test('a user is taken out of the files', async () => {
  expect(await forgetPullsOf(folder, 'u-1')).toBe(false);
  const memory = pullsMemoryInFiles(folder);
  const made = tracker('u-1', 'u-10');
  await memory.write(made, made.takeChanged(), positions, owed);
  expect(await forgetPullsOf(folder, 'u-1')).toBe(true);
  expect(await forgetPullsOf(folder, 'u-1')).toBe(false);
  const users = [...made.snapshot()].filter(([userId]) => userId === 'u-10');
  expect(await memory.read()).toEqual({ positions, owed: owed.slice(1), users });
  writeFileSync(join(folder, 'tracker.ndjson'), '{"format":1\n["u-1"');
  expect(await forgetPullsOf(folder, 'u-1')).toBe(true);
  expect(readFileSync(join(folder, 'tracker.ndjson'), 'utf8')).toBe('');
  expect(await memory.read()).toBeUndefined();
});
