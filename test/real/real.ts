import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run real`: runs the suites against the real services that are set in environment variables (docs/guides/real-services.md).
 * Writes the date and the counts of each run to the README, and nothing about the services.
 */

const root = join(import.meta.dirname, '..', '..');

/** A suite, the variable that enables it, and the README line that reports its last run. */
const suites = [
  { file: 'event-hubs', variable: 'AORTA_EVENT_HUBS_CONNECTION', line: /^(- A real namespace of Event Hubs: ).*$/m },
  { file: 'bigquery', variable: 'AORTA_BIGQUERY_PROJECT', line: /^(- BigQuery: ).*$/m },
];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

const asked = suites.filter(({ variable }) => (process.env[variable] ?? '') !== '');
if (asked.length === 0) {
  const variables = suites.map(({ variable }) => variable).join(' nor ');
  process.stderr.write(`Neither ${variables} is set: no suite was run. See docs/guides/real-services.md.\n`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'aorta-real-'));
try {
  for (const suite of asked) {
    const file = join(folder, `${suite.file}.json`);
    const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const words = ['run', '--project', 'real', ...reports, `test/real/${suite.file}.test.ts`];
    spawnSync('vitest', words, { cwd: root, stdio: 'inherit' });
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const readme = join(root, 'README.md');
    const outcome = `last run ${new Date().toISOString().slice(0, 10)}, ${passed} passed, ${failed} failed.`;
    writeFileSync(readme, readFileSync(readme, 'utf8').replace(suite.line, `$1${outcome}`));
    if (failed > 0 || passed === 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
