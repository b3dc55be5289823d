import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { bigQuery } from './bigquery.ts';
import { eventHubs } from './event-hubs.ts';
import { copyAge, freshness } from './freshness.ts';
import { growth, growthOfSummaries } from './growth.ts';
import { historicalPulls } from './historical-pulls.ts';
import { kafka } from './kafka.ts';
import { landing } from './landing.ts';
import { commit, machine } from './machine.ts';
import type { Figure } from './measure.ts';
import { nullSink } from './null-sink.ts';
import { PEERS_NOTE, peers } from './peers.ts';
import { record, recorded, type Section, sectionText } from './record.ts';
import { stages } from './stages.ts';
import { webhook } from './webhook.ts';
import { whole } from './whole.ts';

/**
 * `npm run bench` measures the performance of the program. Most figures are medians of at least five rounds, and each ratio is
 * taken within one run. Prints the figures next to those of the last run on this machine, or of the release if there was no such
 * run. Also writes tables and JSON to .bench, which Git ignores.
 * - `--release` writes docs/bench instead. Use it only for releases, so that the Git history stays small.
 * - `--quick` records nothing, skips the measurements of growing tables, and observes an idle consumer for a shorter time.
 * - `--only kafka` measures only the section `kafka`, and keeps the recorded figures of the other sections.
 * - `--dry-run` measures everything at full size, and records nothing.
 */

const ROUNDS = 7;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const flag = { type: 'boolean', default: false } as const;
const options = { quick: flag, only: { type: 'string' }, 'dry-run': flag, release: flag } as const;
const { quick, only, 'dry-run': dry, release } = parseArgs({ options }).values;
const sections: readonly (readonly [name: string, run: () => Promise<Figure[]>])[] = [
  ['null-sink path', () => nullSink(ROUNDS)],
  ['files and streams', () => stages(ROUNDS)],
  ['landing and merging', () => landing(ROUNDS)],
  ['event hubs', () => eventHubs(5)],
  ['kafka', () => kafka(quick ? { rounds: 3, starts: 1, idleSeconds: 15 } : { rounds: 5, starts: 5, idleSeconds: 60 }, say)],
  ['freshness', () => freshness([100, 2_000], quick ? 15 : 60)],
  ['age of the copy', () => copyAge(quick ? [1e6] : [1e6, 10e6, 50e6], 60)],
  ['webhook', () => webhook(quick ? 3 : 5, quick ? 4 : 10)],
  ['historical pulls', async () => historicalPulls(ROUNDS, quick ? 2_000 : 100_000)],
  ['bigquery', () => bigQuery(ROUNDS, quick ? 10 : 60)],
  ['files to tables', () => whole(5, !quick)],
  ...(quick ? [] : [['peers', () => peers(3)] as const]),
  ...(quick
    ? []
    : [['a table that grows tenfold', async () => [...(await growth(33)), ...(await growthOfSummaries(1_250_000))]] as const]),
];
const chosen = sections.filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) {
  say(`There is no section ${only}. The sections are: ${sections.map(([name]) => name).join(', ')}.`);
  process.exit(2);
}
const before = recorded();
const measured: Section[] = [];
for (const [name, run] of chosen) {
  say(`measuring: ${name}`);
  const loadBefore = loadavg()[2]!;
  const day = new Date().toISOString().slice(0, 10);
  const notes = name === 'peers' ? { note: PEERS_NOTE } : {};
  const section: Section = { name, day, commit: commit(), machine: machine(), loadBefore, figures: await run(), ...notes };
  measured.push(section);
  process.stdout.write(
    `${sectionText(
      section,
      before.find((one) => one.name === name),
    )}\n`,
  );
  // Records after each section, so that a later failure loses nothing.
  if (!quick && !dry)
    record(
      measured,
      sections.map(([one]) => one),
      release,
    );
}
process.exitCode = measured.some(({ figures }) => figures.some(({ met }) => met === false)) ? 1 : 0;
