import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run real`: the suites against real services, by the variables of docs/guides/real-services.md, and what came of them
 * into the README: the day and the counts, and nothing of the services.
 */

const root = join(import.meta.dirname, '..', '..');
const line = /^(- A real namespace of Event Hubs: ).*$/m;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

if ((process.env.AORTA_EVENT_HUBS_CONNECTION ?? '') === '') {
  process.stderr.write(
    'AORTA_EVENT_HUBS_CONNECTION is not set: docs/guides/real-services.md says what is needed. Nothing was run.\n',
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'aorta-real-'));
try {
  const file = join(folder, 'report.json');
  const words = ['run', '--project', 'real', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  spawnSync('vitest', words, { cwd: root, stdio: 'inherit' });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const readme = join(root, 'README.md');
  const outcome = `last run ${new Date().toISOString().slice(0, 10)}, ${passed} passed, ${failed} failed.`;
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(line, `$1${outcome}`));
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
