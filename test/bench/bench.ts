import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bigQuery } from './bigquery.ts';
import { eventHubs } from './event-hubs.ts';
import { growth } from './growth.ts';
import { kafka } from './kafka.ts';
import { landing } from './landing.ts';
import { type Machine, machine } from './machine.ts';
import type { Figure } from './measure.ts';
import { nullSink } from './null-sink.ts';
import { stages } from './stages.ts';
import { whole } from './whole.ts';

/**
 * `npm run bench`: the figures that the project is held to, each a median of at least five rounds, ratios within one run.
 * The table goes to standard output and, with the JSON, to docs/bench, compared to the run that was recorded there before;
 * `--quick` records nothing, leaves out what grows tenfold, and watches an idle consumer for a shorter time. `--only kafka`
 * measures the section of that name alone, and records nothing either.
 */

const ROUNDS = 7;
const folder = join(import.meta.dirname, '..', '..', 'docs', 'bench');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const number = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** The figures of the run that was recorded last; none on the first one. */
function recorded(): ReadonlyMap<string, number> {
  try {
    const { figures } = JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as { figures: readonly Figure[] };
    return new Map(figures.map((figure) => [nameOf(figure), figure.median]));
  } catch {
    return new Map();
  }
}

const nameOf = ({ name, unit }: Figure): string => `${name} ${unit}`;

function markdown(on: Machine, figures: readonly Figure[], before: ReadonlyMap<string, number>): string {
  const versions = Object.entries(on.versions).map(([name, version]) => `${name} ${version}`);
  const rows = figures.map((one) => {
    const { name, unit, median, least, most, rounds, target, met } = one;
    const last = before.get(nameOf(one));
    const change = last === undefined ? '' : `${number(last)} (${number(median / last)} ×)`;
    const held = target === undefined ? '' : `${target} ${unit}: ${met ? 'held' : '**missed**'}`;
    return `| ${name} | ${number(median)} ${unit} | ${number(least)}–${number(most)} | ${rounds} | ${held} | ${change} |`;
  });
  return [
    '# Bench',
    '',
    `Measured on ${on.cores} × ${on.cpu}, ${on.memoryGb} GB, ${on.system}; ${versions.join(', ')}.`,
    'Written by `npm run bench`. Figures are medians; ratios are taken within a round. The last column has the run recorded before, perhaps at another speed of the machine.',
    '',
    '| what | median | least–most | rounds | held to | before |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const { quick, only } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } }).values;
const sections: readonly (readonly [name: string, run: () => Promise<Figure[]>])[] = [
  ['null-sink path', () => nullSink(ROUNDS)],
  ['files and streams', () => stages(ROUNDS)],
  ['landing and merging', () => landing(ROUNDS)],
  ['event hubs', () => eventHubs(5)],
  ['kafka', () => kafka(quick ? { rounds: 3, starts: 1, idleSeconds: 15 } : { rounds: 5, starts: 5, idleSeconds: 60 }, say)],
  ['bigquery', () => bigQuery(ROUNDS, quick ? 10 : 60)],
  ['files to tables', () => whole(5, !quick)],
  ...(quick ? [] : [['a table that grows tenfold', () => growth(33)] as const]),
];
const chosen = sections.filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) {
  say(`There is no section ${only}. There are: ${sections.map(([name]) => name).join(', ')}.`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const [name, run] of chosen) {
  say(`measuring: ${name}`);
  figures.push(...(await run()));
}

const on = machine();
const table = markdown(on, figures, recorded());
process.stdout.write(table);
if (!quick && only === undefined) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'latest.md'), table);
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify({ machine: on, figures }, null, 2)}\n`);
}
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
