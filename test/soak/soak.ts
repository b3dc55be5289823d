import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { machine } from '../bench/machine.ts';
import { burst, faultRounds, passed, record } from './event-hubs.ts';
import { judgeSamples, mutateSamples, samplesRecord } from './samples.ts';

/**
 * `npm run soak`: the campaigns that are too long for every run. The property tests and the kills of `npm test` run with
 * their counts multiplied (`SOAK`, ten by default), from seeds of their own; the record is kept in docs/bench/soak.md.
 * `npm run soak -- samples` takes the service's own examples from the folder AORTA_SAMPLES and makes MUTANTS of them
 * (100,000 by default) from SEED; the record is kept in docs/bench/samples.md.
 * `npm run soak -- event-hubs` plays the faults of Event Hubs for MINUTES (60 by default) from SEED on, and a burst of
 * EVENTS (500,000 by default) into a slow warehouse; the record is kept in docs/bench/event-hubs-soak.md.
 */

const root = join(import.meta.dirname, '..', '..');
const begun = performance.now();
const minutes = (): number => Math.round((performance.now() - begun) / 60_000);

function keep(name: string, lines: readonly string[]): void {
  mkdirSync(join(root, 'docs', 'bench'), { recursive: true });
  writeFileSync(join(root, 'docs', 'bench', name), lines.join('\n'));
}

function machineLine(): string {
  const { cpu, cores, system, versions } = machine();
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `- Machine: ${cores} × ${cpu}, ${system}; ${named.join(', ')}.`;
}

function multiplied(): number {
  const times = Number(process.env.SOAK ?? 10);
  const { status } = spawnSync(
    'vitest',
    ['run', '--project', 'whole', '--testTimeout', '36000000', 'test/faults', 'test/conformance'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SOAK: String(times) } },
  );
  keep('soak.md', [
    '# Soak',
    '',
    'Written by `npm run soak`: the last campaign.',
    '',
    machineLine(),
    `- Counts: ${times} × those of \`npm test\` (${times * 60} whole pipelines crashed between their steps, ${times * 15} folders killed twice with kill -9, ${times * 40} warehouses against the model).`,
    `- Took ${minutes()} minutes; ended ${status === 0 ? 'without a failure' : '**with failures**'}.`,
    '',
  ]);
  return status ?? 1;
}

async function samples(folder: string): Promise<number> {
  const verdicts = await judgeSamples(folder);
  const say = (done: number) => void process.stderr.write(`${done} mutants, ${minutes()} minutes\n`);
  const campaign = await mutateSamples(folder, Number(process.env.SEED ?? 1), Number(process.env.MUTANTS ?? 100_000), say);
  keep('samples.md', samplesRecord(verdicts, campaign, [machineLine(), `- Took ${minutes()} minutes.`]));
  const lost = verdicts.filter(({ stream }) => stream === 'lost');
  return campaign.verdicts.faults.length > 0 || lost.length > 0 ? 1 : 0;
}

async function eventHubs(): Promise<number> {
  const seed = Number(process.env.SEED ?? 1000);
  const memory = await burst(Number(process.env.EVENTS ?? 500_000));
  const campaign = faultRounds(seed, Number(process.env.MINUTES ?? 60));
  const load = `- Load of the machine in the last quarter of an hour: ${loadavg()[2]!.toFixed(1)}, on ${availableParallelism()} cores.`;
  const heading = [machineLine(), load, `- Seeds from ${seed}; took ${minutes()} minutes.`];
  keep('event-hubs-soak.md', record(campaign, memory, heading));
  return passed(campaign, memory) ? 0 : 1;
}

const folder = process.env.AORTA_SAMPLES;
if (process.argv[2] === 'event-hubs') process.exitCode = await eventHubs();
else if (process.argv[2] !== 'samples') process.exitCode = multiplied();
else if (folder !== undefined) process.exitCode = await samples(folder);
else {
  process.stderr.write('AORTA_SAMPLES names no folder with the examples of the service.\n');
  process.exitCode = 2;
}
