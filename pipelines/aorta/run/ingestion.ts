import type { Source, StreamLog } from '@aorta/connectors';
import { consume, createRouter, Intake, openRedeliveryWindow, type Tally } from '@aorta/ingestion';
import type { LoaderThread } from '@aorta/loading';
import {
  type AortaError,
  LONG_STEP_MS,
  type Logger,
  type Metrics,
  type Progress,
  pause,
  type StepObserver,
  unobserved,
} from '@aorta/runtime';
import type { Setting } from '../config/configuration.ts';
import { addTallies, noTally } from '../report/load-report.ts';
import { type JobOfRun, runJob } from './job.ts';
import type { SourceOfRun } from './sources.ts';

export interface IngestionOptions {
  readonly setting: Pick<Setting<'routes' | 'redelivery_window' | 'limits'>, 'configuration' | 'place'>;
  readonly sources: readonly SourceOfRun[];
  readonly jobs: readonly JobOfRun[];
  readonly log: StreamLog;
  /** Slows the intake down if the tables are far behind. */
  readonly loader: LoaderThread | undefined;
  /** The log holds deliveries in memory until this settles. */
  readonly permission: Promise<void> | undefined;
  readonly untilStopped: boolean;
  readonly signal: AbortSignal | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  readonly onStep: StepObserver | undefined;
  readonly onProgress: ((tally: Tally) => void) | undefined;
  /** Called with every error that ends the run. The parts stop after this. Never rejects. */
  readonly onFailure: (error: unknown) => Promise<void>;
}

export interface Ingested {
  readonly tally: Tally;
  /** The error that stopped a source or a job, if any. */
  readonly error?: AortaError;
}

/** Options of the intake that sources and jobs share. */
type SharedIntake = Omit<ConstructorParameters<typeof Intake>[0], 'source' | 'log'>;

/**
 * A source or a job. In a run that ends when it is drained, a part that is `behind` starts after all other parts have ended.
 */
interface Part {
  readonly behind: boolean;
  readonly run: () => Promise<AortaError | undefined>;
}

/** The sources and jobs of a run, which append deliveries to the streams. If one of them fails, all stop. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #failure = new AbortController();
  readonly #stop: AbortSignal;
  readonly #tallies: PartTally[] = [];

  constructor(options: IngestionOptions) {
    const { signal, loader } = options;
    this.#options = options;
    this.#stop = AbortSignal.any([this.#failure.signal, ...(signal === undefined ? [] : [signal])]);
    // If the loader fails, the run ends at once, even if a source is pausing for minutes between two passes.
    loader?.failed.then((error) => this.#fail(error));
  }

  /** Opens the sources, then runs all parts. Rejects with an error of the streams or the loader. */
  async run(started: () => void): Promise<Ingested> {
    const { sources, jobs, loader } = this.#options;
    const intake = await this.#openIntake();
    const opened = await Promise.all(sources.map(async (source) => source.open()));
    if (loader === undefined) started();
    else loader.opened.then(started, (error) => this.#fail(error));
    const results = await this.#runAll([
      ...sources.map((source, index) => ({ behind: false, run: () => this.#read(source, opened[index]!, intake) })),
      ...jobs.map((job) => ({ behind: job.behindOthers === true, run: () => this.#work(job, intake) })),
    ]);
    // If the warehouse failed to open, throw that error rather than a later one that it caused.
    await loader?.opened;
    const broken = results.find((result) => result.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    const error = results.find((result) => result.status === 'fulfilled' && result.value !== undefined) as
      | PromiseFulfilledResult<AortaError>
      | undefined;
    return { tally: this.#total(), error: error?.value };
  }

  async #fail(error: unknown): Promise<void> {
    await this.#options.onFailure(error);
    this.#failure.abort();
  }

  #total(): Tally {
    return addTallies(this.#tallies.flatMap(({ earlier, now }) => [earlier, now]));
  }

  async #openIntake(): Promise<SharedIntake> {
    const { setting, log, loader, permission, logger, metrics, progress, onStep = unobserved } = this.#options;
    const limits = setting.configuration.redelivery_window;
    return {
      window: await openRedeliveryWindow({ log, folder: setting.place.streams, limits, metrics, logger }),
      router: createRouter(setting.configuration.routes),
      bodyBytes: setting.configuration.limits.body_bytes,
      signal: this.#stop,
      onStep,
      permission,
      metrics,
      progress,
      ready: loader === undefined ? undefined : () => loader.ready(),
    };
  }

  async #runAll(parts: readonly Part[]): Promise<PromiseSettledResult<AortaError | undefined>[]> {
    const first = parts.map(({ behind }) => (behind ? undefined : Promise.withResolvers<void>()));
    return await Promise.allSettled(
      parts.map(async ({ behind, run }, index) => {
        try {
          if (behind && !this.#options.untilStopped) await Promise.all(first.map((other) => other?.promise));
          const error = await run();
          if (error !== undefined) await this.#fail(error);
          return error;
        } catch (error) {
          await this.#fail(error);
          throw error;
        } finally {
          first[index]?.resolve();
        }
      }),
    );
  }

  /** Reads one source, pass after pass. Returns the error that stopped the reading, if any. */
  async #read(source: SourceOfRun, first: Source, intake: SharedIntake): Promise<AortaError | undefined> {
    const { log, loader, untilStopped, logger, progress } = this.#options;
    const tally = this.#newTally();
    for (let pass = first; ; pass = await source.open()) {
      const result = await consume(pass, log, {
        ...intake,
        logger,
        onProgress: (now) => this.#tell(tally, now),
        onFailure: (error) => this.#fail(error),
      });
      tally.endPass(result.tally);
      if (result.error !== undefined || !untilStopped || this.#stop.aborted) return result.error;
      await pause(source.againAfterMs, this.#stop);
      // If the loader failed, ready() rejects and ends the run, even without new deliveries.
      if (loader !== undefined) await progress.during('run', 'loading is behind', loader.ready(), { deadlineMs: LONG_STEP_MS });
      if (this.#stop.aborted) return undefined;
    }
  }

  /** Runs one job. Returns the error that ended the job, if any. */
  #work(job: JobOfRun, intake: SharedIntake): Promise<AortaError | undefined> {
    const { log, logger, progress } = this.#options;
    const tally = this.#newTally();
    const openIntake = (): Intake => {
      tally.endPass(tally.now);
      return new Intake({ ...intake, source: job.name, log, onProgress: (now) => this.#tell(tally, now) });
    };
    return runJob(job, { signal: this.#stop, openIntake }, { logger, progress });
  }

  #newTally(): PartTally {
    const tally = new PartTally();
    this.#tallies.push(tally);
    return tally;
  }

  #tell(tally: PartTally, now: Tally): void {
    tally.now = now;
    this.#options.onProgress?.(this.#total());
  }
}

/** Counts of a source or job: those of its earlier passes, and those of the current one. */
class PartTally {
  earlier = noTally;
  now = noTally;

  endPass(tally: Tally): void {
    this.earlier = addTallies([this.earlier, tally]);
    this.now = noTally;
  }
}
