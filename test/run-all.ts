import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonPath } from '../infra/setup/python.ts';

/**
 * Everything that `npm test` runs: the static checks, then every test. What was skipped is named with its reason, and the
 * last line has the counts. In CI a skip is a failure: nothing may go untested there.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const root = join(import.meta.dirname, '..');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const checks: readonly (readonly [name: string, ...command: string[]])[] = [
  ['format and lint', 'biome', 'ci', '.'],
  ['types', 'tsc'],
  ['drift of generated files', 'node', 'schemas/generate/generate.ts', '--check'],
  ['drift of the reference', 'node', 'pipelines/aorta/reference/generate.ts', '--check'],
  ['unused code', 'knip'],
];

function run(command: readonly string[], env: Record<string, string> = {}): boolean {
  const [program, ...words] = command;
  return (
    spawnSync(program!, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } }).status ===
    0
  );
}

/** Runs the tests of some projects and reads what came of them out of the runner's own report. */
function tests(projects: readonly string[], counts: Counts): void {
  const before = counts.failed;
  const folder = mkdtempSync(join(tmpdir(), 'aorta-report-'));
  const file = join(folder, 'report.json');
  const succeeded = run(
    [
      'vitest',
      'run',
      ...projects.map((name) => `--project=${name}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { PATH: path },
  );
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    for (const { name, status, assertionResults } of report.testResults) {
      for (const { status: outcome, fullName } of assertionResults) {
        if (outcome === 'passed') counts.passed++;
        else if (outcome === 'failed') counts.failed++;
        else counts.skipped.push(fullName);
      }
      // A file that could not even be loaded has no results of its own.
      if (status === 'failed' && !assertionResults.some((result) => result.status === 'failed')) {
        counts.failed++;
        say(`FAILED ${name}`);
      }
    }
    if (!succeeded && counts.failed === before) counts.failed++;
  } catch {
    say('FAILED the test runner left no report');
    counts.failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const path = pythonPath(say);
const counts: Counts = { passed: 0, failed: 0, skipped: [] };
for (const [name, ...command] of checks) {
  const passed = run(command);
  say(`${passed ? 'passed' : 'FAILED'} ${name}`);
  if (passed) counts.passed++;
  else counts.failed++;
}
run(['node', 'infra/bigquery/emulator/prepare.ts'], { PATH: path });
tests(['unit', 'whole'], counts);
tests(['timed'], counts);

for (const name of counts.skipped) say(`SKIPPED ${name}`);
const forbidden = process.env.CI === 'true' && counts.skipped.length > 0;
if (forbidden) say('In CI nothing may be skipped.');
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped`);
process.exitCode = counts.failed > 0 || forbidden ? 1 : 0;
