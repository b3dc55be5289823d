import type { Source } from '@aorta/connectors';
import { type AortaError, firstError } from '@aorta/runtime';
import { errorCatalogueOf } from '../catalogues.ts';
import type { Setting } from '../config/configuration.ts';
import { everySection } from '../config/sections.ts';
import { ProgramError } from '../errors.ts';
import { type LoadReport, reportOf } from '../report/load-report.ts';
import { everything } from '../run/parts.ts';
import { runConfigured } from '../run/run.ts';
import { workerName } from '../run/supervision/worker-name.ts';
import { type Choice, type Logging, loggerOf, settingOf } from './choice.ts';
import { Announcer, type Listeners } from './listeners.ts';

/** A source that the calling program provides. Its name must be unique, because receipts and positions contain the name. */
export interface OwnSource {
  readonly name: string;
  /** Opens the source for one pass. In a run without `once`, a drained source is opened again after `againAfterMs`. */
  // biome-ignore lint/suspicious/noExplicitAny: only the source itself interprets its positions
  open(): Source<any> | Promise<Source<any>>;
  /** Milliseconds between the end of a pass and the start of the next. Default: 5,000. */
  readonly againAfterMs?: number;
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
  /** Errors from single files and from polls of the service. They did not stop the run. */
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

const REST_MS = 5_000;

/**
 * Creates a pipeline from a configuration. `sources` are read in addition to the configured ones. Throws an AortaError if
 * the configuration is invalid.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const setting = settingOf(options, everySection);
  const own = options.sources ?? [];
  refuseUnusable(setting, own);
  return {
    async run({ signal, once = false } = {}) {
      const announcer = new Announcer(options.on);
      const { ended, report, problems, fetchingProblems } = await runConfigured(setting, {
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
      return { ended, report, problems: [...problems, ...fetchingProblems] };
    },
  };
}

/** Runs a configuration, given as a path or an object. See {@link Pipeline.run}. */
export async function run(
  configuration: NonNullable<Choice['configuration']>,
  { signal, once, ...options }: RunOptions = {},
): Promise<RunResult> {
  const pipeline = createPipeline({ ...options, configuration });
  return await pipeline.run({ ...(signal === undefined ? {} : { signal }), ...(once === undefined ? {} : { once }) });
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
