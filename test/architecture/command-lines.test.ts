import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../pipelines/aorta/catalogues.ts';
import { placeOptionsOf } from '../../pipelines/aorta/cli/printing/command-lines.ts';
import { pathOf } from '../../pipelines/aorta/cli/verbs/verb.ts';
import { commands, leavesOf } from '../../pipelines/aorta/reference/cli.ts';

const root = join(import.meta.dirname, '..', '..');
const tree = await commands();

/** Returns what is wrong with the words of a command line; undefined if nothing is. */
function problemOf(words: readonly string[]): string | undefined {
  let command = tree;
  let next = 0;
  for (; next < words.length; next += 1) {
    const child = command.commands.find((one) => one.name() === words[next]);
    if (child === undefined) break;
    command = child;
  }
  const rest = words.slice(next);
  // A text may name a group. Its default command takes the options that follow.
  const leaf = command.commands.length > 0 && rest.length > 0 ? command.commands.find((one) => one.name() === 'start') : command;
  if (leaf === undefined && rest[0] !== '--help') return `no command ${rest[0]}`;
  const known = ['--help', '--version', ...(leaf?.options ?? []).flatMap(({ long, short }) => [long, short])];
  return rest.find((word) => /^--?[a-z]/.test(word) && !known.includes(word));
}

/** The sources of everything that users read, and the documents. */
const texts = globSync(['{connectors,infra,pipelines,schemas,docs}/**/*.{ts,avsc,md}', '*.md'], {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).filter((file) => !/\.(test|fixture|process)\.ts$/.test(file));

test('every command of Aorta between backticks exists and accepts its options', () => {
  const wrong: string[] = [];
  let found = 0;
  for (const file of texts) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, line] of text.matchAll(/`(?:[^`\n]*\| )?(?:npx )?aorta ((?:[a-z-][^`\n|>\\]*)?)/g)) {
      // A part of a template literal.
      if (line!.includes('${')) continue;
      found += 1;
      const problem = problemOf(line!.trim().split(/ +/));
      if (problem !== undefined) wrong.push(`${file}: aorta ${line}: ${problem}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(300);
});

test('the remedies of errors have each command between backticks, so that it can be completed', () => {
  const names = tree.commands.map((command) => command.name()).join('|');
  const bare = Object.entries(errorCatalogue).filter(([, { remedy }]) =>
    new RegExp(`\\baorta (${names})\\b`).test(remedy.replace(/`[^`]*`/g, '')),
  );
  expect(bare.map(([code]) => code)).toEqual([]);
});

test('the options that are added to a printed command are those that the command accepts', () => {
  const leaves = leavesOf(tree);
  for (const command of leaves) {
    const words = pathOf(command).split(' ').slice(1);
    const names = ['config', 'warehouse', 'data', 'controlUrl'];
    const accepted = command.options.map((option) => option.attributeName()).filter((name) => names.includes(name));
    expect([words, new Set(placeOptionsOf(words))]).toEqual([words, new Set(accepted)]);
  }
  expect(leaves.length).toBeGreaterThan(50);
});
