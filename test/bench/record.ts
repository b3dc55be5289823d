import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Figure } from './measure.ts';

/** The latest measurement of a section of the bench. */
export interface Section {
  readonly name: string;
  readonly day: string;
  /** The commit that was measured. ", changed" follows if files differ from it. Before 2026-11-30, only a commit near it is known. */
  readonly commit: string;
  readonly machine: Machine;
  /** Load average over the 15 minutes before the measurement. If it is not close to 0, other programs used the machine. */
  readonly loadBefore: number;
  readonly figures: readonly Figure[];
  /** Text below the figures. */
  readonly note?: string;
}

const root = join(import.meta.dirname, '..', '..');
/** The folder with the figures of the release. It is part of the repository, so only releases write it. */
const released = join(root, 'docs', 'bench');
/** The folder with the figures measured on this machine since the release. Git ignores the folder. */
const local = join(root, '.bench');

/** Returns the sections last measured on this machine, or those of the release if there are none. */
export function recorded(): readonly Section[] {
  return sectionsIn(local) ?? sectionsIn(released) ?? [];
}

function sectionsIn(folder: string): readonly Section[] | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as { sections?: readonly Section[] }).sections;
  } catch {
    return undefined;
  }
}

/** Writes the sections in the order of the names in `order`. Measured sections replace older ones. */
export function record(measured: readonly Section[], order: readonly string[], isRelease: boolean): void {
  const folder = isRelease ? released : local;
  const before = sectionsIn(folder) ?? [];
  const sections = order.flatMap((name) => {
    const section = [...measured, ...before].find((one) => one.name === name);
    return section === undefined ? [] : [section];
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify({ sections }, null, 2)}\n`);
  const heading = [
    '# Bench',
    '',
    'Written by `npm run bench -- --release`, or for one section with `--only NAME` besides. Figures are medians; ratios are taken within a round, and hold where the machine was busy with something else.',
    '',
  ];
  writeFileSync(join(folder, 'latest.md'), [...heading, ...sections.map((section) => sectionText(section))].join('\n'));
}

const number = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** Returns a section as a Markdown table. If `before` is given, an extra column shows the earlier medians. */
export function sectionText({ name, day, commit, machine, loadBefore, figures, note }: Section, before?: Section): string {
  const versions = Object.entries(machine.versions).map(([what, version]) => `${what} ${version}`);
  const last = new Map(before?.figures.map((figure) => [nameOf(figure), figure.median]));
  const rows = figures.map((one) => {
    const { unit, median, least, most, rounds, target, met } = one;
    const held = target === undefined ? '' : `${target} ${unit}: ${met ? 'held' : '**missed**'}`;
    const row = `| ${one.name} | ${number(median)} ${unit} | ${number(least)}–${number(most)} | ${rounds} | ${held} |`;
    if (before === undefined) return row;
    const then = last.get(nameOf(one));
    return then === undefined ? `${row}  |` : `${row} ${number(then)} (${number(median / then)} ×) |`;
  });
  const columns = ['what', 'median', 'least–most', 'rounds', 'held to', ...(before === undefined ? [] : ['before'])];
  return [
    `## ${name}`,
    '',
    `${day}, commit ${commit}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, load before ${number(loadBefore)}; ${versions.join(', ')}.`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${' --- |'.repeat(columns.length)}`,
    ...rows,
    '',
    ...(note === undefined ? [] : [note, '']),
  ].join('\n');
}

const nameOf = ({ name, unit }: Figure): string => `${name} ${unit}`;
