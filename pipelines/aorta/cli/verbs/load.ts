import { parseReceivedAt } from '@aorta/connectors/sources';
import { type AortaError, visible } from '@aorta/runtime';
import { bytes, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { type WarehouseSetting, warehousePlace } from '../../config/adapters.ts';
import { readSetting } from '../../config/configuration.ts';
import { ProgramError } from '../../errors.ts';
import { deadLetterCount, isLoss, loadSummary, refusedParts } from '../../report/load-report.ts';
import { type FilesToLoad, load, loadSections, planLoad } from '../../run/load.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { Call } from '../printing/command-lines.ts';
import { errorText } from '../printing/errors.ts';
import { progressOn } from '../printing/progress.ts';
import type { Output } from '../printing/terminal.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { logFor, withoutErrors } from './command-logger.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

interface LoadFlags extends PlaceFlags {
  readonly json?: true;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly receivedAt?: string;
  readonly source: string;
  readonly followLinks?: true;
}

export function loadCommand(surroundings: Surroundings): Command {
  const command = verb(
    'load <file...>',
    'load event files into the tables',
    'Loads files through the streams into the tables, in one process. A file contains JSON, a JSON array or NDJSON, plain or compressed with gzip or zstd. If you give a folder, Aorta loads all files in it, but no links that lead out of it. `-` is standard input. Each event has a receipt: its source, partition, offset and time of receipt. Delivery files contain these receipts. For plain event files, Aorta derives them from the content and the modification time of the file; --received-at sets the time instead. Loading a file again changes nothing.',
    [
      'aorta load events.ndjson.gz --warehouse duckdb:health.duckdb',
      'aorta load deliveries/ --json --strict',
      'aorta load export.json --received-at 2025-06-01T00:00:00Z',
      'curl https://example.org/events | aorta load -',
    ],
  )
    .option('--received-at <time>', 'time of receipt for plain event files, RFC 3339 (default: modification time)')
    .option('--source <name>', 'source name for plain event files', 'files')
    .option('--follow-links', 'also follow links in a folder that lead out of the given folders')
    .option('--strict', 'exit with code 3 if there are dead letters')
    .option('--dry-run', 'print what would be read and written, without doing it')
    .option('--json', 'print one JSON object with the counts');
  return action(withPlace(command), async (flags: LoadFlags, files: readonly string[]): Promise<ExitCode> => {
    const { terminal } = surroundings;
    checkWords(files);
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs: loadSections });
    const receivedAt = readReceivedAt(flags.receivedAt);
    const what = {
      setting,
      files,
      folder: surroundings.folder,
      source: flags.source,
      receivedAt,
      input: surroundings.input,
      followLinks: flags.followLinks === true,
    };
    const plan = await planLoad(what);
    if (flags.dryRun) {
      await terminal.out.write(
        flags.json
          ? `${JSON.stringify({ dry_run: true, files: plan.files, ...setting.place })}\n`
          : planText(plan.files, setting),
      );
      await terminal.err.write(problemText(terminal.err, setting.call, plan.problems, plan.problems.length));
      return exit.done;
    }

    const began = performance.now();
    using stop = surroundings.stopRequest();
    const known = plan.files.every(({ bytes: size }) => size !== null);
    const total = known ? plan.files.reduce((all, { bytes: size }) => all + (size ?? 0), 0) : undefined;
    using progress = progressOn(terminal.err, { label: 'Loading', unit: 'bytes' });
    const { ended, report, problems, problemCount } = await load({
      ...what,
      plan,
      signal: stop.signal,
      logger: withoutErrors(logFor(setting, 'warn')),
      onProgress: ({ read, tally }) =>
        progress.advance({ done: read, total, note: counted(tally.received, 'delivery', 'deliveries') }),
    });
    progress.end();
    if (ended === 'stopped') {
      await terminal.err.write(
        `Stopped after ${counted(report.received, 'delivery', 'deliveries')}. They are safe; load the same files again to resume.\n`,
      );
      return stoppedBy(stop.cause ?? 'SIGINT');
    }
    await terminal.out.write(
      flags.json ? `${JSON.stringify(report)}\n` : loadSummary(report, performance.now() - began, setting.call),
    );
    await terminal.err.write(problemText(terminal.err, setting.call, problems, problemCount));
    if (problems.some(isLoss)) return problems.every(({ class: kind }) => kind === 'usage') ? exit.usage : exit.failed;
    return flags.strict && deadLetterCount(report) + refusedParts(report) > 0 ? exit.deadLetters : exit.done;
  });
}

/** An empty path would mean the working directory. It usually comes from a shell variable that is not set. */
function checkWords(files: readonly string[]): void {
  if (!files.includes('')) return;
  throw new ProgramError('AORTA-USAGE', {
    problem: 'a path is empty',
    hint: 'Name files or folders: `.` is the working directory, and `-` is standard input.',
  });
}

function readReceivedAt(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseReceivedAt(text);
  if (!Number.isNaN(instant)) return instant;
  throw new ProgramError('AORTA-USAGE', {
    problem: '--received-at needs a time as RFC 3339',
    hint: 'For example --received-at 2026-03-29T01:30:00Z.',
  });
}

/** Maximum number of problems that are printed; further problems are only counted. Losses come first. */
const shownProblems = 10;

/** Names each file that Aorta skipped because it wrote the file itself, so that the user notices a skipped input. */
function problemText(err: Output, call: Call, problems: readonly AortaError[], all: number): string {
  const { own = [], others = [] } = Object.groupBy(problems, ({ code }) => (code === 'AORTA-FILE-OWN' ? 'own' : 'others'));
  const shown = others
    .toSorted((one, other) => Number(isLoss(other)) - Number(isLoss(one)))
    .slice(0, shownProblems)
    .map((problem) => errorText(err, problem, call));
  const more = all - own.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`and ${counted(more, 'more problem')}.\n`] : []),
    // They share one remedy, which follows the last of them.
    ...own.slice(0, -1).map((problem) => `${errorText(err, problem, call).split('\n', 1)[0]}\n`),
    ...own.slice(-1).map((problem) => errorText(err, problem, call)),
  ].join('');
}

function planText(plan: FilesToLoad['files'], setting: WarehouseSetting): string {
  const lines = plan.map(({ path, bytes: size }) => `  ${path}${size === null ? '' : `  ${bytes(size)}`}`);
  return [
    `Would read ${counted(plan.length, 'file')}:`,
    ...lines,
    `into the streams ${setting.place.streams}`,
    `and the tables ${warehousePlace(setting)}. Nothing was done.`,
    '',
  ]
    .map(visible)
    .join('\n');
}
