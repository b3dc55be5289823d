import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptEntries } from '@aorta/connectors';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { documentPart } from './document.ts';
import { type OpenState, stateIn } from './durable-state.ts';
import { stateInFile } from './state-in-file.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A topic that records its entries and every write. */
class Kept {
  readonly entries = new Map<string, string>();
  readonly writes: (readonly (readonly [string, string | null])[])[] = [];

  async write(entries: readonly (readonly [string, string | null])[]): Promise<void> {
    this.writes.push(entries);
    for (const [name, text] of entries)
      if (text === null) this.entries.delete(name);
      else this.entries.set(name, text);
  }

  /** Opens the topic as a worker does. */
  readonly open = async (): Promise<KeptEntries> => ({
    take: () => new Map(this.entries),
    write: this.write.bind(this),
    close: async () => {},
  });
}

const shape = z.object({
  owed: z.record(z.string(), z.object({ key: z.string(), attempts: z.number() })),
  facts: z.object({ users: z.record(z.string(), z.object({ providers: z.array(z.string()) })) }),
  offset: z.number(),
});
const empty: z.output<typeof shape> = { owed: {}, facts: { users: {} }, offset: 0 };
const full: z.output<typeof shape> = {
  owed: { 'a 1': { key: 'a', attempts: 0 }, constructor: { key: 'b', attempts: 2 } },
  facts: { users: { u: { providers: ['oura'] }, v: { providers: [] } } },
  offset: 7,
};

const openIn = async (open: OpenState) => (await open()).open(documentPart(shape, empty));

test.each([
  ['a file', () => stateInFile(folder)],
  ['a topic', () => stateIn(new Kept().open, false)],
])('state in %s is empty at first, and then contains what was saved last', async (_, make) => {
  const open = make();
  const { keep, content } = await openIn(open);
  expect(content).toEqual(empty);
  await keep(full);
  await keep({ ...full, owed: {} });
  await keep(full);
  expect((await openIn(open)).content).toEqual(full);
  await keep({ ...empty, offset: 8 });
  expect((await openIn(open)).content).toEqual({ ...empty, offset: 8 });
});

test('a save writes only changed entries, and deletes obsolete entries last', async () => {
  const kept = new Kept();
  const { keep } = await openIn(stateIn(kept.open, false));
  await keep(full);
  await keep(full);
  await keep({ ...full, owed: { 'a 1': full.owed['a 1']!, c: { key: 'c', attempts: 0 } }, offset: 9 });
  expect(kept.writes.map((entries) => entries.map(([name, text]) => `${name}${text === null ? ' gone' : ''}`))).toEqual([
    ['["owed","a 1"]', '["owed","constructor"]', '["facts","users","u"]', '["facts","users","v"]', '["offset"]'],
    [],
    ['["owed","c"]', '["offset"]', '["owed","constructor"] gone'],
  ]);
});

test('entries that are unreadable count as missing', async () => {
  const kept = new Kept();
  kept.entries.set('["owed","a"]', '{"key":').set('no path', '1').set('["offset"]', '3');
  expect((await openIn(stateIn(kept.open, false))).content).toEqual({ ...empty, offset: 3 });
  kept.entries.set('["offset"]', '"x"');
  expect((await openIn(stateIn(kept.open, false))).content).toEqual(empty);
});
