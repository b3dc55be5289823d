import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pullStates } from './state.ts';
import { type Cell, pullEvents, transitions } from './transitions.ts';

const spec = readFileSync(join(import.meta.dirname, 'SPEC.md'), 'utf8');

function written({ to, verdict }: Cell): string {
  if (verdict === 'moves') return `→ ${to}`;
  if (verdict === 'contradicts') return `⇒ ${to}`;
  return verdict === 'confirms' ? '=' : verdict;
}

test('the table in SPEC.md matches the transitions in the code', () => {
  const rows = spec.split('\n').filter((line) => line.startsWith('| '));
  const cells = (row: string): string[] =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const head = rows.findIndex((row) => cells(row).join() === ['event', ...pullStates].join());
  expect(rows.slice(head + 2, head + 2 + pullEvents.length).map(cells)).toEqual(
    pullEvents.map((event) => [event, ...pullStates.map((state) => written(transitions[state][event]))]),
  );
});
