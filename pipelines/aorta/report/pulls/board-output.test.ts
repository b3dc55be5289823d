import type { WarehouseReader } from '@aorta/connectors';
import { expect, test } from 'vitest';
import { ProgramError } from '../../errors.ts';
import type { Count, Row, Standing } from './board.ts';
import { readWhole, triggerText } from './board-output.ts';

const counts = (of: Partial<Record<Standing, number>>): Count[] =>
  Object.entries(of).map(([standing, pulls]) => ({
    provider: 'oura',
    standing: standing as Standing,
    pulls,
    stale: 0,
    oldestAnswer: null,
  }));

/**
 * Calls `readWhole` for a board with these counts. For each query, returns the standings that it reads, and whether it sorts
 * the pulls.
 */
async function asked(of: Partial<Record<Standing, number>>): Promise<unknown[]> {
  const queries: unknown[] = [];
  const query = async (sql: string) => {
    queries.push([/standing in \((.*)\)/.exec(sql)?.[1] ?? 'all', /\border by\b/.test(sql) ? 'sorted' : 'unsorted']);
    return { columns: [], rows: (async function* () {})() };
  };
  const reader = { query, literal: (text: string) => text } as unknown as WarehouseReader;
  for await (const _ of readWhole(reader, { selection: {} }, counts(of)));
  return queries;
}

test('a board with more than 100,000 pulls is read one standing at a time, and large standings are read unsorted', async () => {
  expect(await asked({ complete: 99_000, failed: 1_000 })).toEqual([['all', 'sorted']]);
  expect(await asked({ complete: 100_001, in_motion: 100_000, failed: 1 })).toEqual([
    ['failed', 'sorted'],
    ['in_motion', 'sorted'],
    ['complete', 'unsorted'],
  ]);
});

test('without the key of the service, the board names the variable that the command for triggering needs', () => {
  const error = new ProgramError('AORTA-CONFIG-VARIABLE', { file: 'aorta.yaml', line: 3, variable: 'SERVICE_KEY' });
  const setting = { readable: {}, unread: [{ section: 'service', errors: [error] }] } as const;
  const row = (what_to_do: string | null) => ({ what_to_do, trigger: null }) as unknown as Row;
  expect(triggerText([row('wait'), row(null)], setting)).toBe('');
  expect(triggerText([row('wait'), row('trigger the pull again')], setting)).toBe(
    'The command that triggers these pulls again is not shown: aorta.yaml:3: the environment variable SERVICE_KEY is not set.\n',
  );
});
