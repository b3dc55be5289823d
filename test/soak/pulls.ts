import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PULLS_PER_USER, writeManyTracks } from '../pulls/many-tracks.ts';
import { type Measured, measured } from '../pulls/measured.ts';

/** Time and memory limits for printing the first page of 3.6 million pulls. */
const SECONDS = 2;
const MEGABYTES = 300;

export interface ManyPulls {
  readonly pulls: number;
  /** The first page, measured three times. */
  readonly pages: readonly Measured[];
  readonly all: Measured;
}

/** Measures `aorta pulls` for this many users with 36 pulls each. */
export async function manyPulls(users: number): Promise<ManyPulls> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-pulls-'));
  try {
    const settings = 'warehouse: { type: duckdb, path: ./warehouse.duckdb }\nhistorical_pulls: {}\n';
    writeFileSync(join(folder, 'aorta.yaml'), settings);
    await writeManyTracks(join(folder, 'warehouse.duckdb'), users);
    const pages = [];
    for (let round = 0; round < 3; round++) pages.push(await measured(folder, ['pulls']));
    return { pulls: users * PULLS_PER_USER, pages, all: await measured(folder, ['pulls', '--json'], 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fastest = ({ pages }: ManyPulls): number => Math.min(...pages.map(({ seconds }) => seconds));
const largest = ({ pages }: ManyPulls): number => Math.max(...pages.map(({ peakMb }) => peakMb));

/**
 * Compares the fastest page with the time limit, because other load on the machine can only make pages slower. Compares the
 * largest memory use of a page with the memory limit.
 */
export function manyPullsPassed(found: ManyPulls): boolean {
  return [...found.pages, found.all].every(({ code }) => code === 0) && fastest(found) <= SECONDS && largest(found) <= MEGABYTES;
}

export function manyPullsRecord(found: ManyPulls, heading: readonly string[]): readonly string[] {
  const { pulls, pages, all } = found;
  return [
    '# Many historical pulls',
    '',
    'Written by `npm run soak -- pulls`: the last campaign.',
    '',
    ...heading,
    `- ${pulls.toLocaleString('en-US')} pulls; ended ${manyPullsPassed(found) ? 'as promised' : '**not as promised**'}.`,
    '',
    '| what | seconds | peak, MB |',
    '| --- | --- | --- |',
    ...pages.map(
      ({ seconds, peakMb }) => `| first page (≤ ${SECONDS} s, ≤ ${MEGABYTES} MB) | ${seconds.toFixed(1)} | ${peakMb} |`,
    ),
    `| all as JSON, ${(all.bytes / 1e6).toFixed(0)} MB | ${all.seconds.toFixed(0)} | ${all.peakMb} |`,
    '',
  ];
}
