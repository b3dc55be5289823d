import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { keys } from '../../pipelines/aorta/reference/keys.ts';
import { aorta } from '../faults/command-line.ts';
import { type Block, blocksOf, documents, proseOf, referencePages, root as repository } from './documents.ts';
import { isError } from './errors.ts';
import { linesOf, prints } from './expectation.ts';
import { portsFor } from './ports.ts';
import { type Background, commandsOf, type Ended, environmentOf, type Place, run, runInBackground, toRun } from './shell.ts';

/**
 * Runs every example in the documents. A fenced block has one of these languages:
 *
 * - `sh`: commands that run in order, in a folder for the document. They exit with code 0, or with code N in a block `sh exit=N`.
 * - `sh background`: a command that keeps running until the document ends. The test waits for it to print the `text` block.
 * - `sh until`: a command that is repeated until it prints the `text` block.
 * - `sql`: a query on the demonstration data, which `aorta demo` created earlier in the document. `sql empty` has no rows there.
 * - `ts`: a program that imports `aorta`. Node runs it in the document's folder, under the name in the document: `node NAME.mjs`.
 * - `text` directly after one of these: its expected output.
 * - `yaml`: a configuration that `aorta validate` accepts.
 * - `json`: valid JSON. If it is an event, `aorta load` accepts it.
 * - `text error`: errors that are hard to provoke. Each of them must be in the error catalogue.
 * - `text picture`: a picture, which is not checked.
 * - `mermaid`: a picture that is generated.
 * - `python`, `r`: code that runs in none of these tests. Only the pages in `elsewhere` have it.
 */

const root = mkdtempSync(join(tmpdir(), 'aorta-docs-'));

/** The number of pictures by document. */
const pictures: Readonly<Record<string, number>> = {
  'README.md': 1,
  'docs/guides/architecture.md': 1,
  'docs/guides/how-it-works.md': 1,
  'docs/guides/querying.md': 2,
};

/** Pages with code that does not run here. The campaign runs the Python code (`test/uses/python-guide.test.ts`). Nothing runs the R code. */
const elsewhere: Readonly<Record<string, string>> = { 'docs/guides/python.md': 'python', 'docs/guides/r.md': 'r' };

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Creates the tables of several documents. It runs only once, because it takes 20 seconds, and each document gets a copy of them. */
const demonstration = 'npx aorta demo --until 2026-04-01';
let demonstrated: Promise<Ended> | undefined;

/** The only document that runs `npm start`. The others would run the same command, and it takes longer than all their examples. */
const starting = 'README.md';

const at = ({ document, line }: Block): string => `${document}:${line}`;

function expectPrinted(block: Block, actual: string): void {
  if (!prints(block.text, actual)) expect(linesOf(actual), at(block)).toEqual(linesOf(block.text));
}

async function demonstrate(place: Place): Promise<Ended> {
  const folder = join(root, 'demonstration');
  mkdirSync(folder, { recursive: true });
  demonstrated ??= run(demonstration, { ...place, folder });
  const ended = await demonstrated;
  cpSync(join(folder, 'aorta-demo'), join(place.folder, 'aorta-demo'), { recursive: true });
  return ended;
}

async function runShell(block: Block, place: Place): Promise<string> {
  const wanted = /^exit=(\d+)$/.exec(block.note)?.[1] ?? (block.note === '' ? '0' : undefined);
  if (wanted === undefined) throw new Error(`${at(block)}: unknown note ${block.note} after sh`);
  let output = '';
  let code = 0;
  for (const command of commandsOf(block.text)) {
    const line = toRun(command);
    if (line === undefined || (command === 'npm start' && block.document !== starting)) continue;
    const ended = line === demonstration ? await demonstrate(place) : await run(line, place);
    output += ended.output;
    code = Math.max(code, ended.code);
  }
  expect({ at: at(block), code, output: code === Number(wanted) ? '' : output }).toEqual({
    at: at(block),
    code: Number(wanted),
    output: '',
  });
  return output;
}

/** Returns the name under which a document tells the reader to save its programs, such as `users.mjs`. */
function programNameIn({ document }: Block): string | undefined {
  return /`node ([\w-]+\.m[jt]s)`/.exec(proseOf(document))?.[1];
}

async function runProgram(block: Block, place: Place): Promise<string> {
  const { folder } = place;
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(repository, 'node_modules'), modules);
  const program = programNameIn(block);
  if (program === undefined) throw new Error(`${at(block)}: the document does not say how to save and run this program`);
  writeFileSync(join(folder, program), block.text);
  const { code, output } = await run(`node ${program}`, place);
  expect({ at: at(block), code, output: code === 0 ? '' : output }).toEqual({ at: at(block), code: 0, output: '' });
  return output;
}

/** Runs a command that the document does not show in this process. A new process takes half a second longer. */
async function runHere(block: Block, words: readonly string[], place: Place): Promise<string> {
  const { code, out, err } = await aorta(place.folder, words, block.text, environmentOf(place));
  expect({ at: at(block), code, err: code === 0 ? '' : err }).toEqual({ at: at(block), code: 0, err: '' });
  return `${out}${err}`;
}

/** Runs a query, and checks that it prints rows. In a block `sql empty` it prints none, and the document says so. */
async function runQuery(block: Block, place: Place): Promise<string> {
  const printed = await runHere(block, ['query', '-', '--warehouse', 'duckdb:aorta-demo/warehouse.duckdb'], place);
  const [, , ...rows] = printed.trim().split('\n');
  expect({ at: at(block), isEmpty: rows.length === 0 }).toEqual({ at: at(block), isEmpty: block.note === 'empty' });
  return printed;
}

async function validate(block: Block, place: Place): Promise<void> {
  writeFileSync(join(place.folder, 'shown.yaml'), block.text);
  await runHere(block, ['validate', '--config', 'shown.yaml'], place);
}

async function readJson(block: Block, place: Place): Promise<void> {
  const value = JSON.parse(block.text) as { event_type?: unknown };
  if (value.event_type === undefined) return;
  await runHere(block, ['load', '-', '--strict', '--warehouse', 'duckdb:shown.duckdb'], place);
}

/** Returns the only command of a block. */
function onlyCommand(block: Block): string {
  const [command, ...others] = commandsOf(block.text).map(toRun);
  if (command === undefined || others.length > 0) throw new Error(`${at(block)}: such a block has one command`);
  return command;
}

/** Repeats the command of a block until it prints what the next block shows. */
async function runUntil(block: Block, shown: Block | undefined, place: Place): Promise<string> {
  if (!isOutput(shown)) throw new Error(`${at(block)}: after sh until, a text block must show the output`);
  const command = onlyCommand(block);
  const isShown = ({ code, output }: Ended): boolean => code === 0 && prints(shown.text, output);
  return (await until(`the output of ${command}`, () => run(command, place), isShown)).output;
}

/** Starts the command of a block, and waits until it has printed what the next block shows. */
async function runBackground(block: Block, shown: Block | undefined, place: Place): Promise<Background> {
  if (!isOutput(shown)) throw new Error(`${at(block)}: after sh background, a text block must show the output`);
  const background = runInBackground(onlyCommand(block), place);
  try {
    await background.printed((output) => prints(shown.text, output));
    return background;
  } catch (error) {
    await background.stop();
    throw error;
  }
}

const isOutput = (block: Block | undefined): block is Block => block?.language === 'text' && block.note === '';

test(`${starting} runs npm start`, () => {
  expect(blocksOf(starting).flatMap(({ text }) => commandsOf(text))).toContain('npm start');
});

describe.concurrent('the examples in documents', () => {
  test.each(documents())('%s: every example works as shown', async (document) => {
    const folder = join(root, document.replaceAll('/', '-'));
    mkdirSync(folder);
    const shown = blocksOf(document);
    const ports = await portsFor(shown);
    const blocks = shown.map(ports.replaced);
    const place = { folder, environment: ports.environment };
    const backgrounds: Background[] = [];
    let printed: string | undefined;
    let looked = 0;
    try {
      for (const [index, block] of blocks.entries()) {
        const before: string | undefined = printed;
        const isAfterBackground = blocks[index - 1]?.note === 'background';
        const isElsewhere = (one: Block | undefined): boolean => one !== undefined && one.language === elsewhere[document];
        printed = undefined;
        if (block.language === 'sh' && block.note === 'background')
          backgrounds.push(await runBackground(block, blocks[index + 1], place));
        else if (block.language === 'sh' && block.note === 'until') printed = await runUntil(block, blocks[index + 1], place);
        else if (block.language === 'sh') printed = await runShell(block, place);
        else if (block.language === 'ts' && block.note === '') printed = await runProgram(block, place);
        else if (block.language === 'sql' && ['', 'empty'].includes(block.note)) printed = await runQuery(block, place);
        else if (block.language === 'yaml' && block.note === '') await validate(block, place);
        else if (block.language === 'json' && block.note === '') await readJson(block, place);
        else if (block.language === 'text' && block.note === 'error') expect(isError(block.text), at(block)).toBe(true);
        else if ((block.language === 'text' && block.note === 'picture') || block.language === 'mermaid') looked += 1;
        else if (isElsewhere(block)) continue;
        else if (isOutput(block) && before !== undefined) expectPrinted(block, before);
        else if (!isOutput(block) || !(isAfterBackground || isElsewhere(blocks[index - 1])))
          throw new Error(`${at(block)}: no check for a block of ${block.language || 'no language'}`);
      }
    } catch (error) {
      // A background command may be the cause, so the error includes what the background commands printed.
      const outputs = backgrounds.map((one) => `${one.command}:\n${one.output().slice(-4_000)}`);
      if (error instanceof Error) error.message = [error.message, ...outputs].join('\n\n');
      throw error;
    } finally {
      // In reverse order, so that no command loses the server that it uses.
      for (const background of backgrounds.reverse()) await background.stop();
    }
    expect(looked).toBe(pictures[document] ?? 0);
  });

  test('each key in the pictures identifies the rows of the demonstration', async () => {
    const place = { folder: join(root, 'keys'), environment: {} };
    mkdirSync(place.folder);
    await demonstrate(place);
    const repeated = Object.entries(keys).map(
      ([name, key]) => `select '${name}' as name from ${name} group by ${key.join(', ')} having count(*) > 1`,
    );
    const words = ['query', '-', '--json', '--warehouse', 'duckdb:aorta-demo/warehouse.duckdb'];
    const { out, err } = await aorta(place.folder, words, repeated.join('\nunion\n'), environmentOf(place));
    expect(out, err).toBe('[]\n');
  });

  test.each(referencePages())('%s: aorta validate accepts every configuration', async (document) => {
    const folder = join(root, document.replaceAll('/', '-'));
    mkdirSync(folder);
    for (const block of blocksOf(document)) if (block.language === 'yaml') await validate(block, { folder, environment: {} });
  });
});
