import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pythonPath } from '../infra/setup/python.ts';

/**
 * Runs the parts named on the command line, in that order: `everyday` for `npm test`, `campaign` for `npm run test:campaign`. In CI,
 * a skipped test is a failure. The output names the skipped tests and ends with the counts of all parts.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: string[];
  /** One text for each failure: the file, the test and the start of its message. The output ends with them, because people look there first. */
  failures: string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
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
  ['prose', 'node', 'test/prose/lint.ts'],
];

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  async everyday() {
    // The checks run in parallel, because most of them use one core.
    await Promise.all(checks.map(check));
    tests('unit', 'whole');
  },
  campaign() {
    tests('campaign');
    // The outage tests mostly wait and need little CPU, so more test files run in parallel than there are cores.
    tests('outages');
    tests('waiting');
    tests('timed');
  },
};

/** Runs a check, and prints its output once the check has ended. */
async function check([name, program, ...words]: readonly [name: string, ...command: string[]]): Promise<void> {
  const child = spawn(program!, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  say(`${output}${errors}${code === 0 ? 'passed' : 'FAILED'} ${name}`);
  if (code === 0) counts.passed++;
  else failed(name, [`${output}${errors}`]);
}

function run(command: readonly string[], env: Record<string, string> = {}): boolean {
  const [program, ...words] = command;
  return (
    spawnSync(program!, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } }).status ===
    0
  );
}

/** Runs the tests of the given projects, adds their results to the counts and prints the slowest files. */
function tests(...projects: readonly string[]): void {
  const before = counts.failed;
  const folder = mkdtempSync(join(tmpdir(), 'aorta-report-'));
  const file = join(folder, 'report.json');
  const started = performance.now();
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
    count(report);
    if (!succeeded && counts.failed === before) failed(`${projects.join(' and ')}: an error outside the tests`);
    say(`${projects.join(' and ')} took ${seconds(performance.now() - started)}; the slowest files:`);
    for (const { name, startTime, endTime } of longest(report, 8))
      say(`  ${seconds(endTime - startTime)} ${name.slice(root.length + 1)}`);
  } catch {
    failed(`${projects.join(' and ')}: the test runner wrote no report`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count({ testResults }: VitestReport): void {
  for (const { name, status, assertionResults } of testResults) {
    for (const { status: outcome, fullName, failureMessages } of assertionResults) {
      if (outcome === 'passed') counts.passed++;
      else if (outcome === 'failed') failed(`${name.slice(root.length + 1)} > ${fullName}`, failureMessages);
      else counts.skipped.push(fullName);
    }
    // If a test file fails to load, the report contains no results for its tests.
    if (status === 'failed' && !assertionResults.some((result) => result.status === 'failed')) {
      failed(name.slice(root.length + 1));
    }
  }
}

/** Counts a failure and keeps its description for the end of the output. */
function failed(name: string, messages: readonly string[] = []): void {
  counts.failed++;
  const lines = messages.flatMap((message) => message.split('\n')).slice(0, 12);
  counts.failures.push([`FAILED ${name}`, ...lines.map((line) => `  ${line.slice(0, 300)}`)].join('\n'));
}

function longest({ testResults }: VitestReport, most: number): VitestReport['testResults'] {
  return testResults.toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, most);
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0).padStart(4)} s`;

const wanted = process.argv.slice(2);
if (wanted.length === 0 || wanted.some((part) => !Object.hasOwn(parts, part))) {
  say(`Usage: run-all.ts PART…, of: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
const path = pythonPath(say);
const counts: Counts = { passed: 0, failed: 0, skipped: [], failures: [] };
run(['node', 'infra/bigquery/emulator/prepare.ts'], { PATH: path });
for (const part of wanted) await parts[part]!();

for (const failure of counts.failures) say(failure);
for (const name of counts.skipped) say(`SKIPPED ${name}`);
const forbidden = process.env.CI === 'true' && counts.skipped.length > 0;
if (forbidden) say('CI must not skip tests.');
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped`);
process.exitCode = counts.failed > 0 || forbidden ? 1 : 0;
