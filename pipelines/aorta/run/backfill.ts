import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Source } from '@aorta/connectors';
import { openServiceClient, type ServiceSettings } from '@aorta/connectors/service';
import type { Tally } from '@aorta/ingestion';
import type { BackfillPosition, BackfillSource } from '@aorta/ingestion/backfill';
import { type AortaError, type Logger, type StepObserver, silentLogger } from '@aorta/runtime';
import type { Setting } from '../config/configuration.ts';
import { ProgramError } from '../errors.ts';
import { type LoadReport, noTally, reportOf } from '../report/load-report.ts';
import { type PipelineSetting, runPipeline } from './pipeline.ts';

/** Source name in the receipts of backfilled deliveries. */
const BACKFILL = 'backfill';

export interface BackfillQuestion {
  readonly users: readonly string[];
  /** First and last date, YYYY-MM-DD, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly resources?: readonly string[] | undefined;
  /** Maximum number of days per request to the service. */
  readonly days: number;
  /**
   * Seconds subtracted from the time of an answer, so that events received while the service prepared the answer count as
   * newer.
   */
  readonly marginS: number;
}

export interface BackfillRun extends BackfillQuestion {
  readonly setting: PipelineSetting & Pick<Setting<'service'>, 'configuration' | 'file'>;
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly onStep?: StepObserver;
  readonly onProgress?: (progress: { readonly done: number; readonly all: number; readonly tally: Tally }) => void;
}

export interface BackfillOutcome {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
  /** The losses of records in the streams, except those whose damaged file the operator has deleted. */
  readonly losses: readonly AortaError[];
  /** The requests that failed. All other requests succeeded. */
  readonly problems: readonly NotFetched[];
}

interface NotFetched {
  /** Position of the user in the list of users, counted from 1. Replaces the user id, which errors never contain. */
  readonly user: number;
  readonly error: AortaError;
}

/** Returns the `service` section of the configuration. Throws AORTA-USAGE if there is none. */
export function serviceOf({ configuration, file }: Pick<Setting<'service'>, 'configuration' | 'file'>): ServiceSettings {
  if (configuration.service !== undefined) return configuration.service;
  throw new ProgramError('AORTA-USAGE', {
    problem: `${file ?? 'the configuration'} has no settings of the service`,
    hint: 'Add `service` with base_url and key to aorta.yaml; see docs/guides/service.md.',
  });
}

/**
 * Fetches users' history from the service's REST API and loads it through the streams into the tables, one user at a time.
 * Throws the error that stopped the run. Data fetched before the error is durable, and the next run does not fetch it again.
 */
export async function backfill(run: BackfillRun): Promise<BackfillOutcome> {
  const { BackfillCheckpoint, BackfillSource, checkpointFile, planBackfill } = await import('@aorta/ingestion/backfill');
  const { setting, users, from, to, resources, days, marginS } = run;
  const client = openServiceClient(serviceOf(setting));
  const steps = planBackfill({ from, to, days, resources }).length;
  const asked = createHash('sha256')
    .update(JSON.stringify([from, to, days, resources ?? null]))
    .digest('hex');
  const sources: BackfillSource[] = [];
  let done = 0;
  let tally = noTally;
  const say = (): void => run.onProgress?.({ done, all: steps * users.length, tally });
  const open = async (): Promise<Source<UserPosition>> => {
    for (const [index, userId] of users.entries()) {
      const path = checkpointFile(join(setting.place.streams, 'service'), userId);
      const onStep = (step: number): void => {
        done = index * steps + step;
        say();
      };
      const checkpoint = await BackfillCheckpoint.open(path, asked, run.logger ?? silentLogger);
      sources.push(
        new BackfillSource({ name: BACKFILL, client, userId, checkpoint, from, to, resources, days, marginS, onStep }),
      );
    }
    return inTurn(sources);
  };
  const outcome = await runPipeline({
    setting,
    sources: () => [{ open, againAfterMs: 0 }],
    signal: run.signal,
    logger: run.logger,
    onStep: run.onStep,
    onProgress: (now) => {
      tally = now;
      say();
    },
  });
  return {
    ended: outcome.ended,
    report: reportOf(outcome.tally, outcome.tables ?? {}),
    losses: outcome.losses,
    problems: sources.flatMap(({ problems }, index) => problems.map((error) => ({ user: index + 1, error }))),
  };
}

interface UserPosition {
  readonly of: BackfillSource;
  readonly position: BackfillPosition;
}

/** Combines the sources of all users into one source, which reads the users one after the other. */
function inTurn(sources: readonly BackfillSource[]): Source<UserPosition> {
  return {
    name: BACKFILL,
    async *batches(signal) {
      for (const of of sources) {
        if (signal.aborted) return;
        for await (const { position, ...batch } of of.batches(signal)) yield { ...batch, position: { of, position } };
      }
    },
    commit: async (positions) => {
      // Committing a user's last position also commits that user's earlier positions.
      for (const { of, position } of new Map(positions.map((one) => [one.of, one])).values()) await of.commit([position]);
    },
  };
}
