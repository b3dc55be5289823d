import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completion } from '../../../connectors/streams/records.fixture.ts';
import { type OpenState, stateIn } from '../state/durable-state.ts';
import { stateInFile } from '../state/state-in-file.fixture.ts';
import { sentPart, snapshotPart, sweepPart } from './saved-state.ts';
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

/** A topic that holds the saved entries. */
const inTopic = stateIn(
  async () => ({
    take: () => new Map(entries),
    write: async (some: readonly (readonly [string, string | null])[]) => {
      for (const [name, text] of some) {
        written.push(name);
        if (text === null) entries.delete(name);
        else entries.set(name, text);
      }
    },
    close: async () => {},
  }),
  false,
);

async function partsOf(open: OpenState) {
  const state = await open();
  return { snapshot: state.open(snapshotPart), sent: state.open(sentPart), sweep: state.open(sweepPart) };
}
const nothing = { positions: {}, owed: undefined, users: [] };

/** Returns a tracker that has received a completion for each of these users. */
function tracker(...users: readonly string[]): Tracker {
  const made = new Tracker();
  addEvidence(made, ...users);
  return made;
}
function addEvidence(one: Tracker, ...users: readonly string[]): void {
  for (const [index, userId] of users.entries()) {
    const record = completion(index);
    one.add('historical_completions', { ...record, event: { ...record.event, user_id: userId } });
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
  ['a file', () => stateInFile(folder)],
  ['a topic', () => inTopic],
])('state that is stored in %s is read back as it was last saved', async (_, form) => {
  const open = () => partsOf(form());
  const first = await open();
  expect([first.snapshot.content, first.sent.content]).toEqual([nothing, []]);
  const made = tracker('u-1', 'u-2');
  await first.snapshot.keep({ tracker: made, changed: made.takeChanged(), positions, owed });
  await first.sent.keep(['x', 'y']);
  const [second, users] = [await open(), [...made.snapshot()]];
  expect(users).toHaveLength(2);
  expect(second.snapshot.content).toEqual({ positions, owed, users });
  expect(second.sent.content).toEqual(['x', 'y']);
  const moved = { ...positions, connections: { incarnation: 'a', position: 9 } };
  addEvidence(made, 'u-3');
  await second.snapshot.keep({ tracker: made, changed: made.takeChanged(), positions: moved, owed: owed.slice(1) });
  await second.sent.keep(['y', 'z']);
  const third = await open();
  expect(third.snapshot.content).toEqual({ positions: moved, owed: owed.slice(1), users: [...made.snapshot()] });
  expect(third.sent.content).toEqual(['y', 'z']);
});

test('a save writes only changed entries, and writes positions after users', async () => {
  const { snapshot } = await partsOf(inTopic);
  const made = tracker('u-1', 'u-2');
  const keep = (some?: typeof owed) => snapshot.keep({ tracker: made, changed: made.takeChanged(), positions, owed: some });
  await keep();
  expect(written).toEqual(['user/u-1', 'user/u-2', 'position/connections', 'position/introspection_polls/2']);
  written.length = 0;
  await keep();
  expect(written).toEqual([]);
  addEvidence(made, 'u-2', 'u-3');
  await keep(owed);
  expect(written).toEqual(['user/u-2', 'user/u-3', ...owed.map(([pull]) => `owed/${pull}`)]);
});

test('entries are byte-for-byte identical to those that released versions write', async () => {
  const known: readonly [boolean, Buffer] = [false, Buffer.from('e')];
  const made = { snapshot: () => [['u-1', ...known] as const].values(), user: () => known } as unknown as Tracker;
  const sweep = { began: 5, cursor: 'c' };
  const parts = await partsOf(inTopic);
  await parts.snapshot.keep({ tracker: made, changed: new Set(['u-1']), positions, owed: owed.slice(0, 1) });
  await parts.sent.keep(['x']);
  await parts.sweep.keep(sweep);
  const planned =
    '{"at":5,"notice":{"event":"historical_pull.failed","provider":"oura","resource":"sleep","error_details":null}}';
  const [connections, polls] = ['{"incarnation":"a","position":3}', '{"incarnation":"b","position":7}'];
  expect([...entries]).toEqual([
    ['user/u-1', '[false,"ZQ=="]'],
    ['owed/["u-1","oura","sleep"]', planned],
    ['position/connections', connections],
    ['position/introspection_polls/2', polls],
    ['sent/x', '1'],
    ['sweep', '{"began":5,"cursor":"c"}'],
  ]);
});
