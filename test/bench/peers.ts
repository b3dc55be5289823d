import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { cached } from '../../infra/machine/cache.ts';
import { cachedPython } from '../../infra/machine/python.ts';
import { finished } from '../../infra/machine/run.ts';
import { writeFiles } from './delivery-files.ts';
import { SAMPLES } from './events.ts';
import { type Figure, figure } from './measure.ts';

/** The Python packages of dlt and all their dependencies. `cachedPython` does not let pip resolve them. */
const DLT = `certifi==2026.10.19.post1 charset-normalizer==3.5.3 click==8.5.1 croniter==7.0.0 dlt==1.31.0 duckdb==2.0.1
  fsspec==2026.9.0 gitdb==4.0.12 GitPython==3.2.1 giturlparse==0.16.0 humanize==4.17.0 idna==3.20 jsonpath-ng==1.16.0
  markdown-it-py==4.3.0 mdurl==0.1.2 orjson==3.13.0 packaging==26.4 pathvalidate==3.3.1 pendulum==3.3.0 pluggy==1.7.0
  Pygments==2.21.0 python-dateutil==4.0.0 pytz==2026.6 PyYAML==6.0.4 requests==2.34.2 requirements-parser==0.13.1 rich==15.0.0
  rich-argparse==1.8.0 semver==3.1.2 simplejson==4.3.0 smmap==5.0.3 sqlglot==30.30.0 tenacity==9.2.1 tomlkit==0.15.2
  typing_extensions==4.16.0 tzdata==2026.6 urllib3==2.8.0`
  .split(/\s+/)
  .join('\n');

const here = (...names: string[]): string => join(import.meta.dirname, ...names);
const command = here('..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
/** Milliseconds between two looks at the memory of a process. */
const LOOK_MS = 10;

/** A program that makes samples from gzipped delivery files. */
interface Peer {
  readonly name: string;
  /** Runs the program in an empty folder. Resolves with the number of samples in its output. */
  readonly run: (folder: string, files: readonly string[]) => Promise<{ readonly samples: number; readonly run: Run }>;
}

/** A whole process, from its start to its end. */
interface Run {
  readonly milliseconds: number;
  /** The largest resident memory in MB of 2^20 bytes. */
  readonly peakMb: number;
  readonly printed: string;
}

async function measured(
  program: string,
  words: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const begun = performance.now();
  const env = { ...process.env, ...environment };
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  let peakMb = 0;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid!));
  }, LOOK_MS);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return { milliseconds: performance.now() - begun, peakMb, printed };
}

/** Returns the peak memory of a process, or 0 if it has ended. Only Linux has the file. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const aorta: Peer = {
  name: 'aorta load',
  run: async (folder, files) => {
    const warehouse = join(folder, 'warehouse.duckdb');
    const run = await measured(process.execPath, [command, 'load', ...files, '--warehouse', `duckdb:${warehouse}`], folder);
    await using reader = await openDuckDbReader({ path: warehouse });
    return { run, samples: (await reader.rows()).timeseries! };
  },
};

const statement: Peer = {
  name: 'one typed DuckDB statement by hand',
  run: async (folder, files) => {
    const words = [here('by-hand.process.ts'), 'samples', join(folder, 'by-hand.duckdb'), ...files];
    const run = await measured(process.execPath, words, folder);
    return { run, samples: (JSON.parse(run.printed) as { rows: number }).rows };
  },
};

function dlt(python: string): Peer {
  return {
    name: 'dlt, merge into DuckDB',
    run: async (folder, files) => {
      const words = [here('peers', 'dlt_samples.py'), join(folder, 'dlt.duckdb'), ...files];
      const run = await measured(python, words, folder, { HOME: folder, RUNTIME__DLTHUB_TELEMETRY: 'false' });
      return { run, samples: Number(run.printed) };
    },
  };
}

function bento(program: string): Peer {
  return {
    name: 'Bento, only to JSON lines',
    run: async (folder, files) => {
      const output = join(folder, 'samples.ndjson');
      const environment = { FILES: join(files[0]!, '..', '*.gz'), OUTPUT: output };
      const run = await measured(program, ['-c', here('peers', 'bento', 'flatten.yaml')], folder, environment);
      return { run, samples: readFileSync(output, 'utf8').split('\n').length - 1 };
    },
  };
}

/** Returns the path of Bento. The first call builds it with Go. */
async function builtBento(): Promise<string> {
  const folder = await cached('bento-1.10.0', async (making) => {
    cpSync(here('peers', 'bento'), making, { recursive: true });
    for (const words of [
      ['mod', 'tidy'],
      ['build', '-o', 'bento', '.'],
    ]) {
      const { code, output } = await finished('go', ['-C', making, ...words]);
      if (code !== 0) throw new Error(`go ${words[0]} failed: ${output.slice(-500)}`);
    }
  });
  return join(folder, 'bento');
}

/** Where Aorta loses. It stands below the figures. */
export const PEERS_NOTE =
  '**Where Aorta loses.** One typed statement by hand is about three times as fast, with a little less memory. It validates nothing, keeps no streams, dead letters or views, and cannot run twice. Bento needs a tenth of the memory, but its lines are not in a table yet. Sling and ingestr are not measured: they download programs from GitHub, and not from a registry.';

/** Measures whole processes, from gzipped delivery files to samples. The programs alternate. */
export async function peers(rounds: number): Promise<Figure[]> {
  const python = await cachedPython({ name: 'dlt', user: 'The bench', requirements: DLT });
  const others = [statement, bento(await builtBento())];
  const large = await alternated([aorta, ...others], 10_000, rounds);
  // dlt would take minutes for as many.
  const small = await alternated([aorta, dlt(python)], 2_000, rounds);
  return [...large, ...small];
}

async function alternated(programs: readonly Peer[], events: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  try {
    const files = await writeFiles(folder, 'samples', events);
    const wanted = events * SAMPLES;
    const runs = new Map<Peer, Run[]>(programs.map((one) => [one, []]));
    for (let round = 0; round < rounds; round++)
      for (const one of programs) {
        const place = mkdtempSync(join(folder, 'round-'));
        const { samples, run } = await one.run(place, files);
        if (samples !== wanted) throw new Error(`${one.name} made ${samples} of ${wanted} samples`);
        runs.get(one)!.push(run);
        rmSync(place, { recursive: true });
      }
    const size = `, ${wanted.toLocaleString('en-US')} samples`;
    const own = runs.get(programs[0]!)!;
    return [...runs].flatMap(([{ name }, some]) => [
      figure(
        `${name}${size}`,
        's',
        some.map(({ milliseconds }) => milliseconds / 1000),
      ),
      ...(some === own
        ? []
        : [
            figure(
              `${name}${size}: its time to that of aorta load`,
              '×',
              some.map((one, round) => one.milliseconds / own[round]!.milliseconds),
            ),
          ]),
      figure(
        `${name}${size}: peak memory`,
        'MB',
        some.map(({ peakMb }) => peakMb),
      ),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
