import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Section } from '../bench/record.ts';
import { root } from './documents.ts';

const GUIDE = 'docs/guides/how-it-works.md';

test(`the table of the copy's age in ${GUIDE} has the figures of the last release`, () => {
  const { sections } = JSON.parse(readFileSync(join(root, 'docs/bench/latest.json'), 'utf8')) as { sections: Section[] };
  const { figures } = sections.find(({ name }) => name === 'age of the copy')!;
  const rows = [1, 10, 50].map((millions) => {
    const of = (what: string): number =>
      figures.find(({ name }) => name === `a warehouse with ${millions} million samples${what}`)!.median;
    const seconds = (part: string): string => `${(of(` → visible in the published copy, ${part}`) / 1000).toFixed(1)} s`;
    const megabytes = `${of(': size of the copy').toFixed(0)} MB`;
    return [`${millions} million`, megabytes, seconds('p50'), seconds('p99'), `${of(': share of a core').toFixed(0)} %`];
  });
  const shown = [...readFileSync(join(root, GUIDE), 'utf8').matchAll(/^\| +(\d+ million) .*$/gm)];
  expect(
    shown.map(([row]) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    ),
  ).toEqual(rows);
});
