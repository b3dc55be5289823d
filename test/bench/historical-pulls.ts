import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { MeasuredPulls } from './historical-pulls.process.ts';
import { type Figure, figure } from './measure.ts';

const program = join(import.meta.dirname, 'historical-pulls.process.ts');

/** Measures the reducer of historical pulls by itself, and the tracker with 36 pulls for each of `users` users. */
export function historicalPulls(rounds: number, users: number): Figure[] {
  const child = spawnSync(process.execPath, ['--expose-gc', program, String(rounds), String(users)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`the tracker ended with ${child.status}`);
  const { reducer, tracker } = JSON.parse(child.stdout) as MeasuredPulls;
  const { pulls, calls, cycles, callsAMinute, evidence, flush } = tracker;
  const minutes = cycles.reduce((sum, cycle) => sum + cycle, 0) / 60_000;
  return [
    figure('historical pulls: reducer, on one core', 'evidences/s', reducer.core, {
      target: '≥ 200,000',
      met: (rate) => rate >= 200_000,
    }),
    figure('historical pulls: reducer, by the clock', 'evidences/s', reducer.wall),
    figure(`historical pulls: ${pulls.toLocaleString('en-US')} pulls, calls`, 'calls/min', [calls / minutes], {
      target: `≤ ${callsAMinute}`,
      met: (rate) => rate <= callsAMinute * 1.001,
    }),
    figure(
      'historical pulls: one cycle of all users',
      'min',
      cycles.map((cycle) => cycle / 60_000),
    ),
    figure('historical pulls: oldest answer at the end of a cycle', 'min', [tracker.oldest / 60_000]),
    figure('historical pulls: tracker, an evidence', 'µs', [(tracker.cpu * 1000) / evidence]),
    figure('historical pulls: tracks written, of evidences heard', '%', [(100 * tracker.tracks) / evidence]),
    figure('historical pulls: packed evidence of a pull', 'bytes', [tracker.packedBytes / pulls]),
    figure('historical pulls: memory of the tracker', 'MB', [tracker.usedBytes / 1e6]),
    figure('historical pulls: merges into the table of one flush', 'merges', [flush.merges], {
      target: '1',
      met: (merges) => merges === 1,
    }),
    figure(`historical pulls: a flush of ${flush.tracks} tracks, landed and merged`, 'ms', [flush.milliseconds]),
  ];
}
