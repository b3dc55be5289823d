import { within } from '@aorta/runtime';
import { type BeyondTheEnd, type LogBounds, planReading, type ReadingPlan, type Shown } from '../partitions/reading.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import type { Checkpoints, PartitionCheckpoint } from './checkpoints/checkpoints.ts';
import { type PartitionOfHub, STORE_MS } from './claims.ts';
import { firstEventSince } from './first-event.ts';
import type { LogEnds } from './log-ends.ts';
import type { Namespace } from './namespace.ts';

/** What tells where a claimed partition is read from. */
export interface BeginningOptions {
  readonly namespace: Namespace;
  readonly ends: LogEnds;
  readonly store: Checkpoints;
  readonly start: StartPosition;
  /** What the partition held when the process began: where `latest` is. */
  readonly atStart: LogBounds;
  /** Sequence numbers that the redelivery window reaches back. */
  readonly window: number;
  /** What of the partition this process has shown to its window. */
  readonly shown: () => Shown | undefined;
}

/** Where a claimed partition is read from. */
export interface Beginning {
  readonly checkpoint: PartitionCheckpoint | undefined;
  /** The sequence number with which the group began. */
  readonly first: number;
  readonly log: LogBounds;
  readonly plan: ReadingPlan | BeyondTheEnd;
}

/** Asks store and hub where to begin. Rejects with their errors, or DeadlinePassed. */
export async function findBeginning(partition: PartitionOfHub, epoch: number, options: BeginningOptions): Promise<Beginning> {
  const { namespace, ends, store, window, shown } = options;
  const { hub, partitionId } = partition;
  // Asked twice: once to have a connection while the store answers, and once after the checkpoint is known, since of an
  // earlier end a checkpoint that a former owner is just writing would seem to be beyond.
  const connecting = ends.bounds(partitionId).catch(() => {});
  const checkpoints = await within(STORE_MS, store.listCheckpoints(namespace.host, hub, namespace.group));
  await connecting;
  const log = await ends.bounds(partitionId);
  const checkpoint = checkpoints.find((one) => one.partitionId === partitionId);
  const first = checkpoint?.first ?? (checkpoint === undefined ? await firstOf(partition, epoch, log, options) : 0);
  const plan = planReading({ checkpoint: checkpoint?.sequenceNumber, first, log, window, shown: shown() });
  return { checkpoint, first, log, plan };
}

/** The sequence number with which the group begins in a partition where it has never been. */
async function firstOf(
  { hub, partitionId }: PartitionOfHub,
  epoch: number,
  log: LogBounds,
  { start, atStart, namespace }: BeginningOptions,
): Promise<number> {
  if (start === 'earliest') return log.begin;
  if (start === 'latest') return Math.max(log.begin, Math.min(atStart.end, log.end));
  if (log.lastAt === undefined || log.lastAt < start) return log.end;
  return firstEventSince(namespace.asker(hub), partitionId, epoch, start);
}
