import { parseReceivedAt } from '@aorta/connectors/sources';
import { firstError } from '@aorta/runtime';
import { errorCatalogueOf } from '../catalogues.ts';
import { ProgramError } from '../errors.ts';
import { reportOf } from '../report/load-report.ts';
import { type LoadOutcome, load as loadFiles, loadReads } from '../run/load.ts';
import { type Choice, type Logging, loggerOf, settingOf } from './choice.ts';
import { Announcer, type Listeners } from './listeners.ts';

export interface LoadOptions extends Choice, Logging {
  /** Time at which the events of plain event files were received: RFC 3339 or a Date. */
  readonly receivedAt?: string | Date;
  /** Source name in the receipts of plain events. Default: `files`. */
  readonly source?: string;
  /** Input that is read if a file is given as `-`. Default: standard input. */
  readonly input?: NodeJS.ReadableStream;
  /** Stops the load gracefully. Deliveries read so far are durable, and loading the same files again resumes after them. */
  readonly signal?: AbortSignal;
  readonly on?: Listeners;
}

/**
 * Loads event files through the streams into the tables, as `aorta load` does. `files`: paths of files and folders. The
 * result's `report` has the same members as the output of `aorta load --json`. Its `problems` lists problems with single
 * files; the other files were loaded. Rejects with an AortaError if the load cannot continue.
 */
export async function load(files: string | readonly string[], options: LoadOptions = {}): Promise<LoadOutcome> {
  const { receivedAt, source, folder, input, signal, on } = options;
  const setting = settingOf(options, loadReads);
  const announcer = new Announcer(on);
  const outcome = await loadFiles({
    setting,
    files: typeof files === 'string' ? [files] : files,
    receivedAt: receivedAt === undefined ? undefined : instantOf(receivedAt),
    logger: announcer.hearing(loggerOf(setting, options), errorCatalogueOf(setting.registry)),
    signal: announcer.signalWith(signal),
    onProgress: ({ tally }) => announcer.tell(reportOf(tally, {})),
    ...(source === undefined ? {} : { source }),
    ...(folder === undefined ? {} : { folder }),
    ...(input === undefined ? {} : { input }),
  }).catch((error: unknown) => {
    throw firstError(error);
  });
  announcer.tell(outcome.report);
  for (const problem of outcome.problems) announcer.tellError(problem);
  announcer.check();
  return outcome;
}

function instantOf(time: string | Date): number {
  const instant = typeof time === 'string' ? parseReceivedAt(time) : time.getTime() * 1000;
  if (!Number.isNaN(instant)) return instant;
  throw new ProgramError('AORTA-USAGE', {
    problem: 'receivedAt is not a valid time',
    hint: "Pass a Date or RFC 3339 text: receivedAt: '2026-03-29T01:30:00Z'.",
  });
}
