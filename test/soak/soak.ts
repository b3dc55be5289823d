import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from '../bench/machine.ts';

/**
 * `npm run soak`: the campaigns that are too long for every run. The property tests and the kills of `npm test` run with
 * their counts multiplied (`SOAK`, ten by default), from seeds of their own; the record is kept in docs/bench/soak.md.
 */

const times = Number(process.env.SOAK ?? 10);
const root = join(import.meta.dirname, '..', '..');
const begun = performance.now();
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'whole', '--testTimeout', '36000000', 'test/faults', 'test/conformance'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SOAK: String(times) },
  },
);
const minutes = Math.round((performance.now() - begun) / 60_000);
const { cpu, cores, system, versions } = machine();
const lines = [
  '# Soak',
  '',
  'Written by `npm run soak`: the last campaign.',
  '',
  `- Machine: ${cores} × ${cpu}, ${system}; ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.`,
  `- Counts: ${times} × those of \`npm test\` (${times * 60} whole pipelines crashed between their steps, ${times * 15} folders killed twice with kill -9, ${times * 40} warehouses against the model).`,
  `- Took ${minutes} minutes; ended ${status === 0 ? 'without a failure' : '**with failures**'}.`,
  '',
];
mkdirSync(join(root, 'docs', 'bench'), { recursive: true });
writeFileSync(join(root, 'docs', 'bench', 'soak.md'), lines.join('\n'));
process.exitCode = status ?? 1;
