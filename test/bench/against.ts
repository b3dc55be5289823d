import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Compared, compare, microseconds, type Pair } from './pairs.ts';

/**
 * `npm run bench:against -- FOLDER` runs the benches of this checkout and of another checkout alternately. FOLDER is the other
 * checkout, with its packages installed. `--pairs` sets how many times each checkout runs (9 by default). `--only` selects a
 * section, and can be given more than once. Prints a table of all figures in microseconds. For each figure, it shows the mean
 * ratio of this checkout to the other checkout, with its 95 % interval. Exits with code 1 if the interval of a core-time figure
 * lies entirely above 1.03.
 */

const { values, positionals } = parseArgs({
  options: { pairs: { type: 'string', default: '9' }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const [other] = positionals;
const pairs = Number(values.pairs);
if (other === undefined || positionals.length > 1 || !Number.isInteger(pairs) || pairs < 2) {
  process.stderr.write('Usage: npm run bench:against -- FOLDER [--pairs 9] [--only SECTION]\n');
  process.exit(2);
}
const here = join(import.meta.dirname, '..', '..');
const sections = values.only ?? [undefined];

/** Runs the bench of a checkout, and returns its output. Exit code 1 only means that the bench missed a target. */
function bench(folder: string, section: string | undefined): Promise<string> {
  const args = ['test/bench/bench.ts', '--quick', ...(section === undefined ? [] : ['--only', section])];
  const child = spawn(join(folder, 'node_modules', '.bin', 'node'), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const printed = out.join('');
      // Node also exits with code 1 if it cannot load the bench.
      const hasFigures = /^\| what \|/m.test(printed);
      if ((code === 0 || code === 1) && hasFigures) resolve(printed);
      else reject(new Error(`the bench of ${folder} ended with ${code}: ${err.join('').slice(-2000)}`));
    });
  });
}

const measured: Pair[] = [];
for (let turn = 0; turn < pairs; turn++) {
  const figures = { before: new Map<string, number>(), after: new Map<string, number>() };
  for (const section of sections) {
    // The checkouts go first alternately, so that neither of them benefits from a machine that has warmed up.
    const order = turn % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
    for (const side of order) {
      const found = microseconds(await bench(side === 'before' ? other : here, section));
      if (found.size === 0) {
        process.stderr.write(`The section ${section} has no figures in microseconds, so it cannot be compared.\n`);
        process.exit(2);
      }
      for (const [name, value] of found) figures[side].set(name, value);
    }
  }
  measured.push(figures);
  process.stderr.write(`pair ${turn + 1} of ${pairs} is measured\n`);
}

const rows = compare(measured);
const row = ({ name, before, after, ratio, least, most, slower }: Compared): string =>
  `| ${name} | ${before.toPrecision(3)} | ${after.toPrecision(3)} | ${ratio.toFixed(3)} | ${least.toFixed(3)}–${most.toFixed(3)} | ${slower ? '**slower**' : ''} |`;
process.stdout.write(
  `${['| figure (µs, median of all runs) | other | this | ratio | 95 % interval | |', '| --- | ---: | ---: | ---: | ---: | --- |', ...rows.map(row)].join('\n')}\n`,
);
process.exitCode = rows.some(({ slower }) => slower) ? 1 : 0;
