import type { Source } from '@aorta/connectors';
import { type AortaError, firstError } from '@aorta/runtime';
import { errorCatalogueOf } from '../catalogues.ts';
import type { Setting } from '../configuration/configuration.ts';
import { ProgramError } from '../errors.ts';
import { everything } from '../parts.ts';
import { type LoadReport, reportOf } from '../report.ts';
import { runConfigured } from '../running.ts';
import { workerName } from '../supervision/worker-name.ts';
import { type Choice, type Logging, loggerOf, settingOf } from './choice.ts';
import { Announcer, type Listeners } from './listeners.ts';

/** A source of the program itself. Receipts and positions go by its name, so no configured source has the same. */
export interface OwnSource {
  readonly name: string;
  /** Gives the source for one look at it. It is opened again after a rest if it drains in a run that goes on. */
  // biome-ignore lint/suspicious/noExplicitAny: a position is the source's own, and comes back to it as it was
  open(): Source<any> | Promise<Source<any>>;
  /** Milliseconds from one look to the next. Default: 5,000. */
  readonly againAfterMs?: number;
}

export interface PipelineOptions extends Choice, Logging {
  /** Sources beside the configured ones. */
  readonly sources?: readonly OwnSource[];
  readonly on?: Listeners;
}

/** When a run ends. */
export interface Ending {
  /** Ends the run in order: the step under way is finished and committed. Without it and without `once` a run does not end. */
  readonly signal?: AbortSignal;
  /** Ends when everything that is there is in the tables. */
  readonly once?: boolean;
}

export interface RunOptions extends Omit<PipelineOptions, 'configuration'>, Ending {}

/** What a run has come to. */
export interface RunResult {
  /** `stopped`: the signal ended it. */
  readonly ended: 'done' | 'stopped';
  /** What `aorta run --once --json` prints. */
  readonly report: LoadReport;
  /** What could not be taken or asked for; everything else was. */
  readonly problems: readonly AortaError[];
}

/** A pipeline that is configured and does not run yet. */
export interface Pipeline {
  /** Takes the sources into the tables, in this process and without a supervisor. Rejects with an AortaError if it cannot go on. */
  run(ending?: Ending): Promise<RunResult>;
}

const REST_MS = 5_000;

/** Configures a pipeline, with the program's own sources beside those of the configuration. Throws an AortaError if the configuration is wrong. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const setting = settingOf(options);
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

/** Runs a configuration: its path, or the object that such a file would hold. See {@link Pipeline.run}. */
export async function run(
  configuration: NonNullable<Choice['configuration']>,
  { signal, once, ...options }: RunOptions = {},
): Promise<RunResult> {
  const pipeline = createPipeline({ ...options, configuration });
  return await pipeline.run({ ...(signal === undefined ? {} : { signal }), ...(once === undefined ? {} : { once }) });
}

/** Throws AORTA-USAGE if there is nothing to run, or if two sources have one name: positions are remembered by it. */
function refuseUnusable({ configuration }: Setting, own: readonly OwnSource[]): void {
  if (configuration.sources.length + own.length === 0 && configuration.service === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: 'there are no sources to run',
      hint: 'Name some in the configuration, or give createPipeline() sources of its own.',
    });
  const names = [...configuration.sources, ...own].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: `two sources are named ${twice}`,
      hint: 'Give each source a name of its own.',
    });
}
