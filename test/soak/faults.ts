import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissed, type Silence, table } from '../faults/stage/report.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Campaign {
  readonly rounds: number;
  readonly failedRounds: number;
  readonly silences: readonly Silence[];
}

/** A fault suite that runs repeatedly. */
export interface Suite {
  /** The suite's folder in test/faults, which is also its name in `npm run soak -- NAME`. */
  readonly folder: string;
  /** The name of the suite in the title of the results page. */
  readonly title: string;
  /** The projects of vitest.config.ts that have the suite's tests. */
  readonly projects: readonly string[];
  /** Additional environment variables for each round. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs rounds of a fault suite, each with its own seeds, until `minutes` have passed. The last round is always completed. */
export function faultRounds(suite: Suite, firstSeed: number, minutes: number): Campaign {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-soak-'));
  const file = join(folder, 'silences.ndjson');
  const end = performance.now() + minutes * 60_000;
  let [rounds, failedRounds] = [0, 0];
  while (performance.now() < end) {
    const seed = String(firstSeed + 100 * rounds++);
    const env = { ...process.env, ...suite.env, AORTA_SEED: seed, AORTA_SILENCES: file };
    const projects = suite.projects.map((name) => `--project=${name}`);
    const { status } = spawnSync('vitest', ['run', ...projects, `test/faults/${suite.folder}`], {
      cwd: root,
      stdio: 'inherit',
      env,
    });
    if (status !== 0) failedRounds++;
  }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  return { rounds, failedRounds, silences: lines.map((line) => JSON.parse(line) as Silence) };
}

/** Returns the results of all rounds as a Markdown page. */
export function faultsRecord({ folder, title }: Suite, campaign: Campaign, heading: readonly string[]): string[] {
  const { rounds, failedRounds, silences } = campaign;
  return [
    `# ${title} soak`,
    '',
    `Written by \`npm run soak -- ${folder}\`: the last campaign.`,
    '',
    ...heading,
    `- ${rounds} rounds of the fault suite, each from its own seeds, with ${silences.length} faults.`,
    failedRounds === 0
      ? '- No round failed: every event in the tables, once and as the plain model has it, and every goal met.'
      : `- **${failedRounds} rounds had failures**, of the goals below or of the tables.`,
    '',
    '## How long partitions were silent',
    '',
    ...table(silences),
    '',
  ];
}

export function faultsPassed({ failedRounds, silences }: Campaign): boolean {
  return failedRounds === 0 && !silences.some(isMissed);
}
