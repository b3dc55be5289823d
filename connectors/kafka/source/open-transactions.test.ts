import { type LogFields, silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { HELD_MS, OpenTransactions } from './open-transactions.ts';

function watched() {
  const said: string[] = [];
  let now = 0;
  const transactions = new OpenTransactions({
    source: 'kafka',
    brokers: ['b:1'],
    admin: { timestampAt: async () => undefined },
    answerMs: 1_000,
    logger: {
      ...silentLogger,
      warn: (_, fields?: LogFields) => said.push(String(fields?.message)),
      info: (message) => said.push(message),
    },
    onHeld: () => {},
    clock: () => now,
  });
  const note = async (at: number, stable: number, end: number, taken: number, partition = 0): Promise<boolean> => {
    now = at;
    const held = transactions.note({ topic: 'events', partition }, { low: 0, stable, end }, taken);
    // Waits until the warning is logged.
    await new Promise((resolve) => setImmediate(resolve));
    return held;
  };
  return { said, note };
}

test('a transaction is reported once, after a minute in which the reader has waited for it', async () => {
  const { said, note } = watched();
  expect(await note(0, 3, 5, 3)).toBe(false);
  expect(await note(HELD_MS - 1, 3, 6, 3)).toBe(false);
  expect(said).toEqual([]);
  expect(await note(HELD_MS, 3, 7, 3)).toBe(true);
  expect(await note(HELD_MS * 2, 3, 8, 3)).toBe(true);
  expect(said).toEqual([expect.stringMatching(/since an unknown time.*events\/0 at offset 3: .*offset 7/)]);
  expect(await note(HELD_MS * 3, 8, 8, 3)).toBe(false);
  expect(said.slice(1)).toEqual(['the transaction has ended']);
});

test('transactions that follow each other without a gap are not reported', async () => {
  const { said, note } = watched();
  for (let second = 0; second < 300; second += 3) expect(await note(second * 1000, second, second + 2, second)).toBe(false);
  expect(said).toEqual([]);
});

test('a transaction is not reported while the reader has records to read before it', async () => {
  const { said, note } = watched();
  expect(await note(0, 30, 50, 3)).toBe(false);
  expect(await note(HELD_MS, 30, 50, 29)).toBe(false);
  expect(said).toEqual([]);
});

test('each partition is watched on its own', async () => {
  const { said, note } = watched();
  await note(0, 3, 5, 3, 0);
  await note(HELD_MS / 2, 3, 5, 3, 1);
  expect(await note(HELD_MS, 3, 5, 3, 0)).toBe(true);
  expect(await note(HELD_MS, 3, 5, 3, 1)).toBe(false);
  expect(said).toHaveLength(1);
});
