import { Decimal, type QueryValue, type Source, type WarehouseReader } from '@aorta/connectors';
import { builtIn, composeRegistry, type Registry } from '@aorta/connectors/registry';
import { parseReceivedAt } from '@aorta/connectors/sources';
import { type AortaError, firstError, type Logger, silentLogger } from '@aorta/runtime';
import { createLogger } from '@aorta/runtime/json-logger';
import { errorCatalogueOf } from '../catalogues.ts';
import { memberNames } from '../cli/printing/query-result.ts';
import { readSetting, type Setting } from '../config/configuration.ts';
import { type Section, sections } from '../config/schema.ts';
import { ConfigurationRefused, ProgramError } from '../errors.ts';
import { type LoadReport, reportOf } from '../report/load-report.ts';
import { openReader } from '../report/stored-data.ts';
import { runConfigured } from './configured-run.ts';
import { Announcer, type Listeners } from './listeners.ts';
import { type LoadOutcome, load as loadFiles, loadSections } from './load.ts';
import { everything, workerName } from './parts.ts';

const REST_MS = 5_000;

/** A source that the calling program provides. Its name must be unique, because receipts and positions contain the name. */
export interface OwnSource {
  readonly name: string;
  /** Opens the source for one pass. In a run without `once`, a drained source is opened again after `againAfterMs`. */
  // biome-ignore lint/suspicious/noExplicitAny: only the source itself interprets its positions
  open(): Source<any> | Promise<Source<any>>;
  /** Milliseconds between the end of a pass and the start of the next. Default: 5,000. */
  readonly againAfterMs?: number;
}

/**
 * The configuration and the location of the data. By default, `aorta.yaml` in `folder` is read. If it does not exist, the data is
 * in the folder `aorta-data`.
 */
export interface Choice {
  /** Path of a configuration file, or its content as an object. */
  readonly configuration?: string | Readonly<Record<string, unknown>>;
  /** `duckdb:PATH`, used instead of the configured warehouse. */
  readonly warehouse?: string;
  /** Folder for streams and tables, used instead of the configured one. */
  readonly data?: string;
  /** Base folder for relative paths. Default: the working directory. */
  readonly folder?: string;
  /** Values of variables in the configuration. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Custom adapters of sources, stream logs and warehouses that the configuration can refer to. */
  readonly adapters?: Partial<Registry>;
}

/** By default, log messages go to standard error if the configuration sets `log.level`, and nowhere otherwise. */
interface Logging {
  readonly logger?: Logger;
}

/**
 * Reads the sections of the configuration that a function of the library needs. If the configuration is invalid, throws an AortaError whose
 * `cause` lists all `problems`.
 */
function settingOf<Needed extends Section>(
  { configuration, warehouse, data, folder = process.cwd(), environment = process.env, adapters = {} }: Choice,
  needs: readonly Needed[],
): Setting<Needed> {
  const chosen =
    typeof configuration === 'object' ? { content: JSON.stringify(configuration, null, 2) } : { config: configuration };
  try {
    return readSetting({ ...chosen, warehouse, data }, environment, folder, { needs, registry: registryWith(adapters) });
  } catch (error) {
    const [first] = error instanceof ConfigurationRefused ? error.problems : [];
    if (first === undefined) throw error;
    first.cause = error;
    throw first;
  }
}

function registryWith({ sources = [], streamLogs = [], warehouses = [] }: Partial<Registry>): Registry {
  return composeRegistry({
    sources: [...builtIn.sources, ...sources],
    streamLogs: [...builtIn.streamLogs, ...streamLogs],
    warehouses: [...builtIn.warehouses, ...warehouses],
  });
}

function loggerOf({ configuration }: Setting<'log'>, { logger }: Logging): Logger {
  if (logger !== undefined) return logger;
  const { level } = configuration.log;
  return level === undefined ? silentLogger : createLogger(level);
}

export interface PipelineOptions extends Choice, Logging {
  /** Sources in addition to the configured ones. */
  readonly sources?: readonly OwnSource[];
  readonly on?: Listeners;
}

/** Options that decide when a run ends. Without `signal` and `once`, the run continues until an error stops it. */
export interface Ending {
  /** Stops the run gracefully: the run finishes and commits the current step. */
  readonly signal?: AbortSignal;
  /** Whether the run ends when all available data is in the tables. */
  readonly once?: boolean;
}

export interface RunOptions extends Omit<PipelineOptions, 'configuration'>, Ending {}

export interface RunResult {
  /** `stopped` if the signal ended the run. */
  readonly ended: 'done' | 'stopped';
  /** The same report that `aorta run --once --json` prints. */
  readonly report: LoadReport;
  /** Losses in the streams, and errors from single files and from polls of the service. They did not stop the run. */
  readonly problems: readonly AortaError[];
}

/** A configured pipeline. */
export interface Pipeline {
  /**
   * Loads the sources into the tables, in this process and without a supervisor. Rejects with an AortaError if the run cannot
   * continue.
   */
  run(ending?: Ending): Promise<RunResult>;
}

/**
 * Creates a pipeline from a configuration. `sources` are read in addition to the configured ones. Throws an AortaError if
 * the configuration is invalid.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const setting = settingOf(options, sections);
  const own = options.sources ?? [];
  refuseUnusable(setting, own);
  return {
    async run({ signal, once = false } = {}) {
      const announcer = new Announcer(options.on);
      const { ended, report, losses, problems, enrichmentProblems } = await runConfigured(setting, {
        once,
        parts: everything,
        worker: workerName({}),
        supervisor: null,
        restarts: 0,
        logger: announcer.hearing(loggerOf(setting, options), errorCatalogueOf(setting.registry)),
        signal: announcer.signalWith(signal),
        ownSources: own.map((source) => ({
          name: source.name,
          open: () => source.open(),
          againAfterMs: source.againAfterMs ?? REST_MS,
        })),
        onProgress: (tally) => announcer.tell(reportOf(tally, {})),
      }).catch((error: unknown) => {
        throw firstError(error);
      });
      announcer.tell(report);
      announcer.check();
      return { ended, report, problems: [...losses, ...problems, ...enrichmentProblems] };
    },
  };
}

/** Runs a configuration, given as a path or an object. See {@link Pipeline.run}. */
export async function run(
  configuration: NonNullable<Choice['configuration']>,
  { signal, once, ...options }: RunOptions = {},
): Promise<RunResult> {
  const pipeline = createPipeline({ ...options, configuration });
  return await pipeline.run({ signal, once });
}

/** Throws AORTA-USAGE if there is nothing to run, or if two sources would store positions under the same name. */
function refuseUnusable({ configuration }: Setting, own: readonly OwnSource[]): void {
  if (configuration.sources.length + own.length === 0 && configuration.service === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: 'there are no sources to run',
      hint: 'Add sources to the configuration, or pass `sources` to createPipeline().',
    });
  const names = [...configuration.sources, ...own].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: `two sources are named ${twice}`,
      hint: 'Give each source a unique name.',
    });
}

export interface LoadOptions extends Choice, Logging {
  /** Time at which the events of plain event files were received: RFC 3339 or a Date. */
  readonly receivedAt?: string | Date;
  /** Source name in the receipts of plain events. Default: `files`. */
  readonly source?: string;
  /** Whether to follow links in a folder that lead out of the given folders. Default: they are reported as problems. */
  readonly followLinks?: boolean;
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
  const { receivedAt, source, folder, followLinks = false, input, signal, on } = options;
  const setting = settingOf(options, loadSections);
  const announcer = new Announcer(on);
  const outcome = await loadFiles({
    setting,
    files: typeof files === 'string' ? [files] : files,
    followLinks,
    receivedAt: receivedAt === undefined ? undefined : instantOf(receivedAt),
    logger: announcer.hearing(loggerOf(setting, options), errorCatalogueOf(setting.registry)),
    signal: announcer.signalWith(signal),
    onProgress: ({ tally }) => announcer.tell(reportOf(tally, {})),
    source,
    folder,
    input,
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

/** Decimals are strings with all digits. */
export type RowValue = string | number | bigint | boolean | null | readonly RowValue[] | { readonly [name: string]: RowValue };

/** If several columns have the same name, a number is appended to the name of each but the first. */
export type Row = Readonly<Record<string, RowValue>>;

/** The published tables, opened for reading. Close them with `await using` or `close()`. */
export interface OpenWarehouse extends AsyncDisposable {
  /**
   * Runs one SELECT and yields its rows as they arrive. All values can be written as JSON, except integers of 64 and more
   * bits, which are bigint. Decimals, NaN and infinities are strings. Throws AORTA-WAREHOUSE-MISSING, AORTA-WAREHOUSE-UNPUBLISHED, AORTA-QUERY-NOT-READ-ONLY and
   * AORTA-QUERY-FAILED.
   */
  query(sql: string): AsyncIterable<Row>;
  close(): Promise<void>;
}

/**
 * Returns the published tables of a configuration for reading. Another process can write to them at the same time. The
 * first query opens the tables. With DuckDB, all queries read the copy that was newest when the first query ran.
 */
export function openWarehouse(options: Choice = {}): OpenWarehouse {
  const setting = settingOf(options, ['warehouse']);
  let opening: Promise<WarehouseReader> | undefined;
  const open = (): Promise<WarehouseReader> => {
    opening ??= openReader(setting).catch((error: unknown) => {
      // The tables may exist by the time of the next query, so it tries to open them again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const close = async (): Promise<void> => {
    const opened = opening;
    opening = undefined;
    await (await opened?.catch(() => undefined))?.close();
  };
  return {
    async *query(sql) {
      const reader = await open();
      const { columns, rows } = await reader.query(sql);
      const names = memberNames(columns.map(({ name }) => name));
      for await (const batch of rows)
        for (const values of batch) yield Object.fromEntries(names.map((name, index) => [name, rowValue(values[index]!)]));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function rowValue(value: QueryValue): RowValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return value.digits;
  if (isList(value)) return value.map(rowValue);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rowValue(inner)]));
}

/** `Array.isArray` does not narrow a readonly list. */
const isList = (value: QueryValue): value is readonly QueryValue[] => Array.isArray(value);
