import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { machine } from '../bench/machine.ts';
import { shortcomings, slowSteps, trickle } from '../faults/trickle.ts';
import { burst, burstPassed, burstRecord } from './burst.ts';
import { faultRounds, faultsPassed, faultsRecord, type Suite } from './faults.ts';
import { growthRecord } from './growth.ts';
import { manyPulls, manyPullsPassed, manyPullsRecord } from './pulls.ts';
import { judgeSamples, mutateSamples, samplesRecord } from './samples.ts';

/**
 * `npm run soak` runs long tests. Each of these commands writes its results to a file in docs/bench. Names in capitals
 * are environment variables.
 * - `npm run soak` repeats the property tests and the kill tests with new seeds. The number of runs of each test is
 *   multiplied by SOAK (10 by default), as are the messages of the webhook burst and the requests of schemathesis.
 *   Results: soak.md.
 * - `npm run soak -- samples` loads the service's own examples from the folder in AORTA_SAMPLES. Then it loads randomly changed
 *   copies of them. MUTANTS is the number of copies (100,000 by default), and SEED is the random seed. Results: samples.md.
 * - `npm run soak -- event-hubs` and `-- kafka` repeat the fault suites for MINUTES (60 by default). SEED is the first seed. The
 *   Kafka suite includes two minutes of random kills. Results: event-hubs-soak.md and kafka-soak.md.
 * - `npm run soak -- burst` measures memory use with a backlog of EVENTS events (500,000 by default) and a slow warehouse.
 *   Results: burst.md.
 * - `npm run soak -- growth` slowly loads events into a DuckDB file for MINUTES (60 by default), and measures the size of the
 *   file. Results: growth.md.
 * - `npm run soak -- pulls` measures `aorta pulls` for USERS users (100,000 by default) with 36 pulls each. Results: pulls.md.
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
    [
      'run',
      '--project',
      'whole',
      '--project',
      'campaign',
      '--testTimeout',
      '36000000',
      'test/faults',
      'test/conformance',
      'test/service-contract/schemathesis',
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SOAK: String(times) } },
  );
  keep('soak.md', [
    '# Soak',
    '',
    'Written by `npm run soak`: the last campaign.',
    '',
    machineLine(),
    `- Counts: ${times} × those of the test suite (${times * 40} whole pipelines crashed between their steps, ${times * 30} folders killed twice with kill -9, ${times * 40} warehouses against the model).`,
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

const loadLine = (): string =>
  `- Load of the machine in the last quarter of an hour: ${loadavg()[2]!.toFixed(1)}, on ${availableParallelism()} cores.`;

const suites: readonly Suite[] = [
  { folder: 'event-hubs', title: 'Event Hubs', projects: ['waiting'], env: {} },
  { folder: 'kafka', title: 'Kafka', projects: ['outages', 'waiting', 'timed'], env: { AORTA_KILLING_S: '120' } },
];

function faults(suite: Suite): number {
  const seed = Number(process.env.SEED ?? 1000);
  const campaign = faultRounds(suite, seed, Number(process.env.MINUTES ?? 60));
  const heading = [machineLine(), loadLine(), `- Seeds from ${seed}; took ${minutes()} minutes.`];
  keep(`${suite.folder}-soak.md`, faultsRecord(suite, campaign, heading));
  return faultsPassed(campaign) ? 0 : 1;
}

async function burstOfEvents(): Promise<number> {
  const memory = await burst(Number(process.env.EVENTS ?? 500_000));
  keep('burst.md', burstRecord(memory, [machineLine(), loadLine()]));
  return burstPassed(memory) ? 0 : 1;
}

async function growthOfFile(): Promise<number> {
  const trickled = await trickle(Number(process.env.MINUTES ?? 60), (line) => void process.stderr.write(`${line}\n`));
  keep('growth.md', growthRecord(trickled, [machineLine(), loadLine()]));
  return shortcomings(trickled).length + slowSteps(trickled).length === 0 ? 0 : 1;
}

async function pullsOfMany(): Promise<number> {
  const found = await manyPulls(Number(process.env.USERS ?? 100_000));
  keep('pulls.md', manyPullsRecord(found, [machineLine(), loadLine()]));
  return manyPullsPassed(found) ? 0 : 1;
}

const folder = process.env.AORTA_SAMPLES;
const suite = suites.find((one) => one.folder === process.argv[2]);
if (suite !== undefined) process.exitCode = faults(suite);
else if (process.argv[2] === 'burst') process.exitCode = await burstOfEvents();
else if (process.argv[2] === 'growth') process.exitCode = await growthOfFile();
else if (process.argv[2] === 'pulls') process.exitCode = await pullsOfMany();
else if (process.argv[2] !== 'samples') process.exitCode = multiplied();
else if (folder !== undefined) process.exitCode = await samples(folder);
else {
  process.stderr.write('AORTA_SAMPLES is not set. Set it to the folder with the examples of the service.\n');
  process.exitCode = 2;
}
