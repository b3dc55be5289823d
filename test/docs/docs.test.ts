import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Block, blocksOf, documents, referencePages, root as repository } from './documents.ts';
import { isError } from './errors.ts';
import { linesOf, prints } from './expectation.ts';
import { commandsOf, run, toRun } from './shell.ts';

/**
 * Runs every example in the documents. A fenced block has one of these languages:
 *
 * - `sh`: commands that run in order, in a folder for the document. They exit with code 0, or with code N in a block `sh exit=N`.
 * - `sql`: a query on the demonstration data, which `aorta demo` created earlier in the document.
 * - `ts`: a program that imports `aorta`. Node runs it in the document's folder.
 * - `text` directly after one of these: its expected output.
 * - `yaml`: a configuration that `aorta validate` accepts.
 * - `json`: valid JSON. If it is an event, `aorta load` accepts it.
 * - `text error`: errors that are hard to provoke. Each of them must be in the error catalogue.
 * - `text picture`: a picture, which is not checked.
 */

const root = mkdtempSync(join(tmpdir(), 'aorta-docs-'));

/** The number of `text picture` blocks by document. */
const pictures: Readonly<Record<string, number>> = { 'README.md': 1, 'docs/guides/how-it-works.md': 1 };

afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = ({ document, line }: Block): string => `${document}:${line}`;

function expectPrinted(block: Block, actual: string): void {
  if (!prints(block.text, actual)) expect(linesOf(actual), at(block)).toEqual(linesOf(block.text));
}

async function runShell(block: Block, folder: string): Promise<string> {
  const wanted = /^exit=(\d+)$/.exec(block.note)?.[1] ?? (block.note === '' ? '0' : undefined);
  if (wanted === undefined) throw new Error(`${at(block)}: unknown note ${block.note} after sh`);
  let output = '';
  let code = 0;
  for (const command of commandsOf(block.text)) {
    const line = toRun(command);
    if (line === undefined) continue;
    const ended = await run(line, folder);
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

async function runProgram(block: Block, folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(repository, 'node_modules'), modules);
  const program = `line-${block.line}.mts`;
  writeFileSync(join(folder, program), block.text);
  const { code, output } = await run(`node ${program}`, folder);
  expect({ at: at(block), code, output: code === 0 ? '' : output }).toEqual({ at: at(block), code: 0, output: '' });
  return output;
}

async function runQuery(block: Block, folder: string): Promise<string> {
  const { code, output } = await run('aorta query - --warehouse duckdb:aorta-demo/warehouse.duckdb', folder, block.text);
  expect({ at: at(block), code, output: code === 0 ? '' : output }).toEqual({ at: at(block), code: 0, output: '' });
  return output;
}

async function validate(block: Block, folder: string): Promise<void> {
  writeFileSync(join(folder, 'shown.yaml'), block.text);
  const { code, output } = await run('aorta validate --config shown.yaml', folder);
  expect({ at: at(block), code, output: code === 0 ? '' : output }).toEqual({ at: at(block), code: 0, output: '' });
}

async function readJson(block: Block, folder: string): Promise<void> {
  const value = JSON.parse(block.text) as { event_type?: unknown };
  if (value.event_type === undefined) return;
  const { code, output } = await run('aorta load - --strict --warehouse duckdb:shown.duckdb', folder, block.text);
  expect({ at: at(block), code, output: code === 0 ? '' : output }).toEqual({ at: at(block), code: 0, output: '' });
}

describe.concurrent('the examples in documents', () => {
  test.each(documents())('%s: every example works as shown', async (document) => {
    const folder = join(root, document.replaceAll('/', '-'));
    mkdirSync(folder);
    let printed: string | undefined;
    let looked = 0;
    for (const block of blocksOf(document)) {
      const before: string | undefined = printed;
      printed = undefined;
      if (block.language === 'sh') printed = await runShell(block, folder);
      else if (block.language === 'ts' && block.note === '') printed = await runProgram(block, folder);
      else if (block.language === 'sql' && block.note === '') printed = await runQuery(block, folder);
      else if (block.language === 'yaml' && block.note === '') await validate(block, folder);
      else if (block.language === 'json' && block.note === '') await readJson(block, folder);
      else if (block.language === 'text' && block.note === 'error') expect(isError(block.text), at(block)).toBe(true);
      else if (block.language === 'text' && block.note === 'picture') looked += 1;
      else if (block.language === 'text' && block.note === '' && before !== undefined) expectPrinted(block, before);
      else throw new Error(`${at(block)}: no check for a block of ${block.language || 'no language'}`);
    }
    expect(looked).toBe(pictures[document] ?? 0);
  });

  test.each(referencePages())('%s: aorta validate accepts every configuration', async (document) => {
    const folder = join(root, document.replaceAll('/', '-'));
    mkdirSync(folder);
    for (const block of blocksOf(document)) if (block.language === 'yaml') await validate(block, folder);
  });
});
