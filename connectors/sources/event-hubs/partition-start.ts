import { within } from '@aorta/runtime';
import type { EventHubConsumerClient, EventPosition } from '@azure/event-hubs';
import type { StartPosition } from '../partition.ts';
import { type BeyondTheEnd, type LogBounds, planReading, type ReadingPlan, type WindowRange } from '../reading-plan.ts';
import type { Checkpoints, PartitionCheckpoint } from './checkpoints/checkpoints.ts';
import { type PartitionOfHub, STORE_MS } from './claims.ts';
import type { LogEnds } from './hub-partitions.ts';
import { closedAfterwards, type Namespace } from './namespace.ts';

/** Inputs for deciding where to start reading a claimed partition. */
export interface PartitionStartOptions {
  readonly namespace: Namespace;
  readonly ends: LogEnds;
  readonly store: Checkpoints;
  readonly start: StartPosition;
  /**
   * Bounds of the partition's log when the process started. If the configured start position is `latest`, reading starts
   * at the `end` of these bounds.
   */
  readonly atStart: LogBounds;
  /** Size of the redelivery window in sequence numbers. */
  readonly window: number;
  /** Returns the range of sequence numbers that this process has added to its redelivery window. */
  readonly shown: () => WindowRange | undefined;
}

/** Where reading of a claimed partition starts. */
export interface PartitionStart {
  readonly checkpoint: PartitionCheckpoint | undefined;
  readonly first: number;
  readonly log: LogBounds;
  readonly plan: ReadingPlan | BeyondTheEnd;
}

/** Asks the store and the hub where to start. Rejects with the errors of the store or the hub, or with DeadlinePassed. */
export async function findPartitionStart(
  partition: PartitionOfHub,
  epoch: number,
  options: PartitionStartOptions,
): Promise<PartitionStart> {
  const { namespace, ends, store, window, shown } = options;
  const { hub, partitionId } = partition;
  // Requests the bounds twice. The first request only opens the connection while the store answers. Its result is not
  // used, because a former owner may have moved the checkpoint past that end. The second request is sent after the
  // checkpoint has been read.
  const connecting = ends.bounds(partitionId).catch(() => {});
  const checkpoints = await within(STORE_MS, store.listCheckpoints(namespace.host, hub, namespace.group));
  await connecting;
  const log = await ends.bounds(partitionId);
  const checkpoint = checkpoints.find((one) => one.partitionId === partitionId);
  const first = checkpoint?.first ?? (checkpoint === undefined ? await firstOf(partition, epoch, log, options) : 0);
  const plan = planReading({ checkpoint: checkpoint?.sequenceNumber, first, log, window, shown: shown() });
  return { checkpoint, first, log, plan };
}

/** Maximum duration of {@link firstEventSince}, in milliseconds. */
const FIRST_EVENT_MS = 10_000;

/**
 * Returns the sequence number of the first event that was enqueued at or after `time`, in milliseconds since 1970. The
 * caller must know that such an event exists. Rejects with the client's error, or with DeadlinePassed. Closes the client.
 */
async function firstEventSince(
  client: EventHubConsumerClient,
  partitionId: string,
  epoch: number,
  time: number,
): Promise<number> {
  const startPosition: EventPosition = { enqueuedOn: time, isInclusive: true };
  using _client = closedAfterwards(client);
  return await within(
    FIRST_EVENT_MS,
    new Promise<number>((resolve, reject) => {
      client.subscribe(
        partitionId,
        {
          // The client calls this with an empty list if the hub does not send an event within a second.
          processEvents: async ([first]) => {
            if (first !== undefined) resolve(first.sequenceNumber);
          },
          processError: async (error) => reject(error),
        },
        { ownerLevel: epoch, startPosition, maxBatchSize: 1, maxWaitTimeInSeconds: 1, skipParsingBodyAsJson: true },
      );
    }),
  );
}

/** Returns the first sequence number to read in a partition in which the group has no checkpoint. */
async function firstOf(
  { hub, partitionId }: PartitionOfHub,
  epoch: number,
  log: LogBounds,
  { start, atStart, namespace }: PartitionStartOptions,
): Promise<number> {
  if (start === 'earliest') return log.begin;
  if (start === 'latest') return Math.max(log.begin, Math.min(atStart.end, log.end));
  if (log.lastAt === undefined || log.lastAt < start) return log.end;
  return firstEventSince(namespace.asker(hub), partitionId, epoch, start);
}
