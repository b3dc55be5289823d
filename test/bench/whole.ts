import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeFiles } from './delivery-files.ts';
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
function byHand(folder: string, files: readonly string[], rows: number): number {
  const plain = files.map((file) => file.replace(/\.gz$/, ''));
  for (const [index, file] of files.entries()) writeFileSync(plain[index]!, gunzipSync(readFileSync(file)));
  const database = join(folder, 'by-hand.duckdb');
  const script = join(import.meta.dirname, 'by-hand.process.ts');
  const child = spawnSync(process.execPath, [script, database, ...plain], {
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

/** Gzipped delivery files to published tables, and what that takes of memory when there is ten times as much. */
export async function whole(rounds: number, grown: boolean): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const hands: number[] = [];
  const loads = async (kind: 'samples' | 'summaries', table: string, events: number, times: number): Promise<Life[]> => {
    const files = await writeFiles(folder, kind, events);
    const rows = kind === 'samples' ? events * SAMPLES : events;
    const lives = Array.from({ length: times }, () => {
      // Beside it, in turns: a ratio holds where the machine is quicker or slower than it was.
      if (kind === 'samples' && times > 1) hands.push(byHand(folder, files, rows));
      return live(folder, files, table, rows);
    });
    for (const file of files) rmSync(file);
    return lives;
  };
  try {
    const events = 60_000;
    const days = 200_000;
    const samples = await loads('samples', 'timeseries', events, rounds);
    const summaries = await loads('summaries', 'activity', days, rounds);
    const figures = [
      figure(
        'gzipped delivery files → published tables',
        'samples/s',
        samples.map(({ milliseconds }) => (events * SAMPLES * 1000) / milliseconds),
        { target: '≥ 400,000', met: (value) => value >= 400_000 },
      ),
      figure('one DuckDB statement by hand over plain files, nothing checked', 'samples/s', hands),
      figure(
        'published tables, to that statement',
        '×',
        samples.map(({ milliseconds }, round) => (events * SAMPLES * 1000) / milliseconds / hands[round]!),
      ),
      figure(
        'the same, for a core that is busy with it',
        'samples/s',
        samples.map(({ cpuMilliseconds }) => (events * SAMPLES * 1000) / cpuMilliseconds),
      ),
      figure(
        'gzipped delivery files of summaries → published tables',
        'summaries/s',
        summaries.map(({ milliseconds }) => (days * 1000) / milliseconds),
        { target: '≥ 40,000', met: (value) => value >= 40_000 },
      ),
      figure(
        'the same, for a core that is busy with it',
        'summaries/s',
        summaries.map(({ cpuMilliseconds }) => (days * 1000) / cpuMilliseconds),
      ),
      figure(
        'peak memory of the process, samples',
        MB,
        samples.map(({ peakMb }) => peakMb),
      ),
    ];
    if (!grown) return figures;
    const peak = (lives: readonly Life[]): number => Math.max(...lives.map(({ peakMb }) => peakMb));
    const [large] = await loads('samples', 'timeseries', 10 * events, 1);
    return [
      ...figures,
      figure('peak memory of the process, ten times the samples', MB, [large!.peakMb]),
      figure('growth of the peak with ten times the samples', '×', [large!.peakMb / peak(samples)], {
        target: '≤ 1.2',
        met: (ratio) => ratio <= 1.2,
      }),
      figure('gzipped delivery files → published tables, ten times the samples', 'samples/s', [
        (10 * events * SAMPLES * 1000) / large!.milliseconds,
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
