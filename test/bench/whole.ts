import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Kind, writeFiles } from './delivery-files.ts';
import { SAMPLES } from './events.ts';
import { type Figure, figure } from './measure.ts';

const program = join(import.meta.dirname, 'load.process.ts');

interface LoadResult {
  readonly milliseconds: number;
  /** CPU time of all cores together. */
  readonly cpuMilliseconds: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly peakMb: number;
}

/** Loads files in a separate process, into a new warehouse. The times do not include the start of the process. */
function runLoad(folder: string, files: readonly string[], table: string, rows: number): LoadResult {
  const place = mkdtempSync(join(folder, 'result-'));
  const child = spawnSync(process.execPath, [program, place, ...files], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  rmSync(place, { recursive: true, force: true });
  if (child.status !== 0) throw new Error(`the load ended with ${child.status}`);
  const result = JSON.parse(child.stdout) as LoadResult;
  if (result.rows[table] !== rows) throw new Error('the tables do not hold all events of the files');
  return result;
}

/** Returns how many rows per second a handwritten statement loads from the same events, as a measure of the machine's speed. */
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
  if (said.rows !== rows) throw new Error('the statement made a wrong number of rows');
  return (rows * 1000) / said.milliseconds;
}

const MB = 'MB';

interface Loads {
  readonly results: readonly LoadResult[];
  /** Rows per second that the handwritten statement loads, one value per round. */
  readonly byHands: readonly number[];
  /** Rows per second that Aorta loads, one value per round. */
  readonly aSecond: readonly number[];
  readonly rows: number;
}

/** Compares Aorta's throughput with that of the handwritten statement. `size` is appended to the names of the figures. */
function compared(kind: Kind, { results, byHands, aSecond, rows }: Loads, target: number, size = ''): Figure[] {
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
      results.map(({ cpuMilliseconds }) => (rows * 1000) / cpuMilliseconds),
    ),
  ];
}

/** Measures loads from gzipped delivery files to published tables. With `grown`, also measures larger loads. */
export async function whole(rounds: number, grown: boolean): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const loads = async (kind: Kind, events: number, times: number, beside: 'by hand' | 'nothing'): Promise<Loads> => {
    const files = await writeFiles(folder, kind, events);
    const rows = kind === 'samples' ? events * SAMPLES : events;
    const byHands: number[] = [];
    const results = Array.from({ length: times }, () => {
      // The handwritten statement and the load alternate, so that a change in the machine's speed affects both alike.
      if (beside === 'by hand') byHands.push(byHand(folder, kind, files, rows));
      return runLoad(folder, files, kind === 'samples' ? 'timeseries' : 'activity', rows);
    });
    for (const file of files) rmSync(file);
    return { results, byHands, aSecond: results.map(({ milliseconds }) => (rows * 1000) / milliseconds), rows };
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
        samples.results.map(({ peakMb }) => peakMb),
      ),
    ];
    if (!grown) return figures;
    const peak = (results: readonly LoadResult[]): number => Math.max(...results.map(({ peakMb }) => peakMb));
    const large = await loads('samples', 10 * events, 3, 'nothing');
    const many = await loads('summaries', 1_000_000, 3, 'by hand');
    return [
      ...figures,
      // In a larger load, code compilation at the start and the final merges take a smaller share of the time.
      ...compared('summaries', many, 40_000, ', 1,000,000 of them'),
      figure(
        'peak memory of the process, ten times the samples',
        MB,
        large.results.map(({ peakMb }) => peakMb),
      ),
      figure(
        'growth of the peak with ten times the samples',
        '×',
        large.results.map(({ peakMb }) => peakMb / peak(samples.results)),
        { target: '≤ 1.2', met: (ratio) => ratio <= 1.2 },
      ),
      figure('gzipped delivery files of samples → published tables, ten times as many', 'samples/s', large.aSecond),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
