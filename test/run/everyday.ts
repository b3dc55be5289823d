import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pythonPath } from '../../infra/setup/python.ts';
import { addResults, noResults, root, run, runTests, say, summarize } from './results.ts';

/** `npm test` runs the checks and all tests that are in no part of the campaign. The last line of its output has the counts. */

const checks: readonly (readonly [name: string, program: string, ...words: string[]])[] = [
  ['format and lint', 'biome', 'ci', '.'],
  ['types', 'tsc'],
  ['drift of generated files', 'node', 'schemas/generate/generate.ts', '--check'],
  ['drift of the reference', 'node', 'pipelines/aorta/reference/generate.ts', '--check'],
  ['unused code', 'knip'],
  ['prose', 'node', 'test/prose/lint.ts'],
];

/** Runs a check, and prints its output once the check has ended. */
async function check([name, program, ...words]: (typeof checks)[number]): Promise<void> {
  const child = spawn(program, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  say(`${output}${errors}${code === 0 ? 'passed' : 'FAILED'} ${name}`);
  if (code === 0) results.passed++;
  else results.failures.push({ name, messages: [`${output}${errors}`] });
}

const results = noResults();
// The checks run in parallel, because most of them use one core. They start first, because installing mostly waits for the network.
const checked = Promise.all(checks.map(check));
const path = pythonPath(say);
run('node', ['infra/bigquery/emulator/prepare.ts'], path);
await checked;
addResults(results, runTests(path, ['unit', 'whole']));
summarize(results);
