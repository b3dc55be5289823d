import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A test or check that failed. */
export interface Failure {
  /** The test file, as a path from the root of the repository. Absent if the failure was not in a test file. */
  readonly file?: string;
  readonly name: string;
  readonly messages: readonly string[];
}

export interface Results {
  passed: number;
  readonly skipped: string[];
  failures: Failure[];
}

export const noResults = (): Results => ({ passed: 0, skipped: [], failures: [] });

/** Adds results to the others. */
export function addResults(all: Results, { passed, skipped, failures }: Results): void {
  all.passed += passed;
  all.skipped.push(...skipped);
  all.failures.push(...failures);
}

export const titleOf = ({ file, name }: Pick<Failure, 'file' | 'name'>): string =>
  file === undefined ? name : `${file} > ${name}`;

/** The report of vitest's JSON reporter. Times are in milliseconds. */
export interface VitestReport {
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

/** Runs a program in the root of the repository. Returns whether it succeeded. */
export function run(program: string, words: readonly string[], path: string): boolean {
  const { status } = spawnSync(program, words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path },
  });
  return status === 0;
}

/** Runs tests of the given projects: all of them, or the given files. Returns their results, and prints the slowest files. */
export function runTests(path: string, projects: readonly string[], files: readonly string[] = []): Results {
  const results = noResults();
  const folder = mkdtempSync(join(tmpdir(), 'aorta-report-'));
  const file = join(folder, 'report.json');
  const title = projects.join(' and ');
  const began = performance.now();
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const succeeded = run('vitest', ['run', ...projects.map((name) => `--project=${name}`), ...reporters, ...files], path);
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    addReport(results, report);
    if (!succeeded && results.failures.length === 0)
      results.failures.push({ name: `${title}: an error outside the tests`, messages: [] });
    say(`${title} took ${seconds(performance.now() - began)}; the slowest files:`);
    for (const { name, startTime, endTime } of slowest(report, 8)) say(`  ${seconds(endTime - startTime)} ${fromRoot(name)}`);
  } catch {
    results.failures.push({ name: `${title}: the test runner wrote no report`, messages: [] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

/** Adds the results of a report. A file that fails to load has no results for its tests, so it counts as one failure. */
export function addReport(results: Results, { testResults }: VitestReport): void {
  for (const { name, status, assertionResults } of testResults) {
    const file = fromRoot(name);
    for (const { status: outcome, fullName, failureMessages } of assertionResults) {
      if (outcome === 'passed') results.passed++;
      else if (outcome === 'failed') results.failures.push({ file, name: fullName, messages: failureMessages });
      else results.skipped.push(fullName);
    }
    if (status === 'failed' && !assertionResults.some((result) => result.status === 'failed'))
      results.failures.push({ file, name: 'the file could not be run', messages: [] });
  }
}

/**
 * Prints the failures and skipped tests last, because people read the end of the output first. The last line has the counts. Sets
 * the exit code.
 */
export function summarize({ passed, failures, skipped }: Results): void {
  for (const failure of failures) say(description(failure));
  for (const name of skipped) say(`SKIPPED ${name}`);
  // A few tests need proc(5), which only Linux has.
  const forbidden = process.env.CI === 'true' && process.platform === 'linux' && skipped.length > 0;
  if (forbidden) say('CI must not skip tests.');
  say(`${passed} passed, ${failures.length} failed, ${skipped.length} skipped`);
  process.exitCode = failures.length > 0 || forbidden ? 1 : 0;
}

function description(failure: Failure): string {
  const lines = failure.messages.flatMap((message) => message.split('\n')).slice(0, 12);
  return [`FAILED ${titleOf(failure)}`, ...lines.map((line) => `  ${line.slice(0, 300)}`)].join('\n');
}

function slowest({ testResults }: VitestReport, most: number): VitestReport['testResults'] {
  return testResults.toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, most);
}

const fromRoot = (file: string): string => file.slice(root.length + 1);
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0).padStart(4)} s`;
