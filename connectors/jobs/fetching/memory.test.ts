import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptState } from '@aorta/streams';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryInFile, memoryInTopic } from './memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A topic as its reader finds it: the entries, and each write of them. */
class Kept {
  readonly entries = new Map<string, string>();
  readonly writes: (readonly (readonly [string, string | null])[])[] = [];

  async write(entries: readonly (readonly [string, string | null])[]): Promise<void> {
    this.writes.push(entries);
    for (const [name, text] of entries)
      if (text === null) this.entries.delete(name);
      else this.entries.set(name, text);
  }

  /** As another worker opens it. */
  readonly open = async (): Promise<KeptState> =>
    ({ take: () => new Map(this.entries), write: this.write.bind(this), close: async () => {} }) as unknown as KeptState;
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

test.each([
  ['a file', () => memoryInFile(join(folder, 'job.json'))],
  ['a topic', () => memoryInTopic(new Kept().open)],
])('%s gives what was kept last, and nothing before that', async (_, make) => {
  const open = make();
  const { memory, content } = await open(shape, empty);
  expect(content).toEqual(empty);
  await memory.keep(full);
  await memory.keep({ ...full, owed: {} });
  await memory.keep(full);
  expect((await open(shape, empty)).content).toEqual(full);
  await memory.keep({ ...empty, offset: 8 });
  expect((await open(shape, empty)).content).toEqual({ ...empty, offset: 8 });
});

test('only what has changed is written to a topic, and what is new before what goes', async () => {
  const kept = new Kept();
  const { memory } = await memoryInTopic(kept.open)(shape, empty);
  await memory.keep(full);
  await memory.keep(full);
  await memory.keep({ ...full, owed: { 'a 1': full.owed['a 1']!, c: { key: 'c', attempts: 0 } }, offset: 9 });
  expect(kept.writes.map((entries) => entries.map(([name, text]) => `${name}${text === null ? ' gone' : ''}`))).toEqual([
    ['["owed","a 1"]', '["owed","constructor"]', '["facts","users","u"]', '["facts","users","v"]', '["offset"]'],
    [],
    ['["owed","c"]', '["offset"]', '["owed","constructor"] gone'],
  ]);
});

test('what is damaged counts as not kept', async () => {
  writeFileSync(join(folder, 'damaged.json'), '{"format":1,"content":{"offset":"x"}}');
  expect((await memoryInFile(join(folder, 'damaged.json'))(shape, empty)).content).toEqual(empty);
  writeFileSync(join(folder, 'damaged.json'), '{"form');
  expect((await memoryInFile(join(folder, 'damaged.json'))(shape, empty)).content).toEqual(empty);
  const kept = new Kept();
  kept.entries.set('["owed","a"]', '{"key":').set('no path', '1').set('["offset"]', '3');
  expect((await memoryInTopic(kept.open)(shape, empty)).content).toEqual({ ...empty, offset: 3 });
  writeFileSync(join(folder, 'newer.json'), '{"format":2,"content":{}}');
  await expect(memoryInFile(join(folder, 'newer.json'))(shape, empty)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
});
