import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Kind, writeFiles } from './delivery-files.ts';
import { SAMPLES } from './events.ts';
import { type Figure, figure } from './measure.ts';

const program = join(import.meta.dirname, 'load.process.ts');

interface Life {
  readonly milliseconds: number;
  /** Of all cores together. */
  readonly cpuMilliseconds: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly peakMb: number;
}

/** A load in a process of its own, into a new warehouse; its times are without the start of the process. */
function live(folder: string, files: readonly string[], table: string, rows: number): Life {
  const place = mkdtempSync(join(folder, 'life-'));
  const child = spawnSync(process.execPath, [program, place, ...files], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  rmSync(place, { recursive: true, force: true });
  if (child.status !== 0) throw new Error(`the load ended with ${child.status}`);
  const life = JSON.parse(child.stdout) as Life;
  if (life.rows[table] !== rows) throw new Error('the tables do not hold what the files held');
  return life;
}

/** Rows a second of a statement written by hand over the same events in plain files: how quick this machine is today. */
function byHand(folder: string, kind: Kind, files: readonly string[], rows: number): number {
  const plain = files.map((file) => file.replace(/\.gz$/, ''));
  for (const [index, file] of files.entries()) writeFileSync(plain[index]!, gunzipSync(readFileSync(file)));
  const database = join(folder, 'by-hand.duckdb');
  const script = join(import.meta.dirname, 'by-hand.process.ts');
  const child = spawnSync(process.execPath, [script, kind, database, ...plain], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const file of [...plain, database]) rmSync(file, { force: true });
  if (child.status !== 0) throw new Error(`the statement ended with ${child.status}`);
  const said = JSON.parse(child.stdout) as { milliseconds: number; rows: number };
  if (said.rows !== rows) throw new Error('the statement has made another number of rows');
  return (rows * 1000) / said.milliseconds;
}

const MB = 'MB';

interface Loads {
  readonly lives: readonly Life[];
  /** Rows a second of the statement by hand, a round each. */
  readonly byHands: readonly number[];
  /** Rows a second of the loads. */
  readonly aSecond: readonly number[];
  readonly rows: number;
}

/** Rows a second, held to `target`, and beside the statement by hand. `size` says how many there were, where that is not the usual number. */
function compared(kind: Kind, { lives, byHands, aSecond, rows }: Loads, target: number, size = ''): Figure[] {
  const unit = `${kind}/s`;
  return [
    figure(`gzipped delivery files of ${kind} → published tables${size}`, unit, aSecond, {
      target: `≥ ${target.toLocaleString('en')}`,
      met: (value) => value >= target,
    }),
    figure(`${kind}: one DuckDB statement by hand over plain files, nothing checked${size}`, unit, byHands),
    figure(
      `${kind}: published tables, to that statement${size}`,
      '×',
      aSecond.map((rate, round) => rate / byHands[round]!),
    ),
    figure(
      `${kind}: published tables, for a core that is busy with it${size}`,
      unit,
      lives.map(({ cpuMilliseconds }) => (rows * 1000) / cpuMilliseconds),
    ),
  ];
}

/** Gzipped delivery files to published tables, and what that takes of memory when there is ten times as much. */
export async function whole(rounds: number, grown: boolean): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const loads = async (kind: Kind, events: number, times: number, beside: 'by hand' | 'nothing'): Promise<Loads> => {
    const files = await writeFiles(folder, kind, events);
    const rows = kind === 'samples' ? events * SAMPLES : events;
    const byHands: number[] = [];
    const lives = Array.from({ length: times }, () => {
      // Beside it, in turns: a ratio holds where the machine is quicker or slower than it was.
      if (beside === 'by hand') byHands.push(byHand(folder, kind, files, rows));
      return live(folder, files, kind === 'samples' ? 'timeseries' : 'activity', rows);
    });
    for (const file of files) rmSync(file);
    return { lives, byHands, aSecond: lives.map(({ milliseconds }) => (rows * 1000) / milliseconds), rows };
  };
  try {
    const events = 60_000;
    const samples = await loads('samples', events, rounds, 'by hand');
    const summaries = await loads('summaries', 400_000, rounds, 'by hand');
    const figures = [
      ...compared('samples', samples, 400_000),
      ...compared('summaries', summaries, 40_000),
      figure(
        'peak memory of the process, samples',
        MB,
        samples.lives.map(({ peakMb }) => peakMb),
      ),
    ];
    if (!grown) return figures;
    const peak = (lives: readonly Life[]): number => Math.max(...lives.map(({ peakMb }) => peakMb));
    const large = await loads('samples', 10 * events, 3, 'nothing');
    const many = await loads('summaries', 1_000_000, 3, 'by hand');
    return [
      ...figures,
      // The first seconds, in which everything is still being compiled, and the last merges count for less there.
      ...compared('summaries', many, 40_000, ', 1,000,000 of them'),
      figure(
        'peak memory of the process, ten times the samples',
        MB,
        large.lives.map(({ peakMb }) => peakMb),
      ),
      figure(
        'growth of the peak with ten times the samples',
        '×',
        large.lives.map(({ peakMb }) => peakMb / peak(samples.lives)),
        { target: '≤ 1.2', met: (ratio) => ratio <= 1.2 },
      ),
      figure('gzipped delivery files of samples → published tables, ten times as many', 'samples/s', large.aSecond),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
