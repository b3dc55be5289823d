import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, textOf } from './documents.ts';

/** The path of a delivery through the source files, as `how-it-works.md` shows it. */

const document = documents().find((path) => path.endsWith('/how-it-works.md'))!;
const section = /^## The path of a delivery, file by file$(.*?)^## /ms.exec(textOf(document))![1]!;

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const fileIn = (cell: string): string => join(dirname(document), /\]\(([^)]+)\)/.exec(cell)![1]!);

/** Returns the hops of each numbered table, as pairs of files. */
const tables = new Map(
  section
    .split(/^### /m)
    .slice(1)
    .map((text) => [
      Number.parseInt(text, 10),
      [...text.matchAll(/^\| \[.*\|$/gm)].map(([line]) => cellsOf(line).slice(0, 2).map(fileIn)),
    ]),
);

const paths = [...section.matchAll(/^\| an? .*\|$/gm)].map(([line]) => {
  const [path, numbers, hops, files] = cellsOf(line);
  return { path, numbers: numbers!.split(', ').map(Number), hops: Number(hops), files: Number(files) };
});

test.each(paths)('$path: the page counts its hops and files', ({ numbers, hops, files }) => {
  const walked = numbers.flatMap((number) => tables.get(number)!);
  expect({ hops: new Set(walked.map((hop) => hop.join())).size, files: new Set(walked.flat()).size }).toEqual({ hops, files });
});

test('an event of a hub, a file or a webhook reaches a table through at most 40 files', () => {
  expect(paths.map(({ files }) => files).filter((files) => files > 40)).toEqual([]);
  expect(paths).toHaveLength(4);
});

test.each([...tables])('table %i: each hop begins in a file that an earlier hop reached', (_number, hops) => {
  const reached = new Set(hops[0]!.slice(0, 1));
  const apart = hops.filter(([from, to]) => {
    const isReached = reached.has(from!);
    reached.add(to!);
    return !isReached;
  });
  expect(apart).toEqual([]);
});
