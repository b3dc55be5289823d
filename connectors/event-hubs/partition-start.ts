import { within } from '@aorta/runtime';
import type { EventPosition } from '@azure/event-hubs';
import type { StartPosition } from '../sources/partition.ts';
import { type BeyondTheEnd, type LogBounds, planReading, type ReadingPlan, type WindowRange } from '../sources/reading-plan.ts';
import { type Checkpoints, type PartitionCheckpoint, STORE_MS } from './checkpoints/checkpoints.ts';
import type { Hub } from './hub.ts';
import { closedAfterwards, type Namespace } from './namespace.ts';

/** Maximum duration of {@link firstEventSince}, in milliseconds. */
const FIRST_EVENT_MS = 10_000;

/** A claimed partition, and everything that determines where reading starts. */
export interface PartitionStartOptions {
  readonly namespace: Namespace;
  readonly hub: Hub;
  readonly partitionId: string;
  readonly epoch: number;
  readonly store: Checkpoints;
  readonly start: StartPosition;
  /** Size of the redelivery window in sequence numbers. */
  readonly window: number;
  /** Returns the range of sequence numbers that this process has added to its redelivery window. */
  readonly shown: () => WindowRange | undefined;
}

/** The start of reading in a claimed partition. */
export interface PartitionStart {
  readonly checkpoint: PartitionCheckpoint | undefined;
  readonly first: number;
  readonly log: LogBounds;
  readonly plan: ReadingPlan | BeyondTheEnd;
}

/** Asks the store and the hub where to start. Rejects with the errors of the store or the hub, or with DeadlinePassed. */
export async function findPartitionStart(options: PartitionStartOptions): Promise<PartitionStart> {
  const { namespace, hub, partitionId, store, window, shown } = options;
  // Requests the bounds twice. The first request only opens the connection while the store answers. Its result is not
  // used, because a former owner may have moved the checkpoint past that end. The second request is sent after the
  // checkpoint has been read.
  const connecting = hub.bounds(partitionId).catch(() => {});
  const checkpoints = await within(STORE_MS, store.listCheckpoints(namespace.host, hub.name, namespace.group));
  await connecting;
  const log = await hub.bounds(partitionId);
  const checkpoint = checkpoints.find((one) => one.partitionId === partitionId);
  const first = checkpoint === undefined ? await firstOf(log, options) : (checkpoint.first ?? 0);
  const plan = planReading({ checkpoint: checkpoint?.sequenceNumber, first, log, window, shown: shown() });
  return { checkpoint, first, log, plan };
}

/** Returns the first sequence number to read in a partition in which the group has no checkpoint. */
async function firstOf(log: LogBounds, options: PartitionStartOptions): Promise<number> {
  const { start, hub, partitionId } = options;
  if (start === 'earliest') return log.begin;
  // `latest` is the end of the log at the time the process started.
  if (start === 'latest') return Math.max(log.begin, Math.min(hub.partitions.get(partitionId)!.end, log.end));
  if (log.lastAt === undefined || log.lastAt < start) return log.end;
  return firstEventSince(start, options);
}

/**
 * Returns the sequence number of the first event that was enqueued at or after `time`, in milliseconds since 1970. The
 * caller must know that such an event exists. Rejects with the client's error, or with DeadlinePassed.
 */
async function firstEventSince(time: number, { namespace, hub, partitionId, epoch }: PartitionStartOptions): Promise<number> {
  const startPosition: EventPosition = { enqueuedOn: time, isInclusive: true };
  const client = namespace.asker(hub.name);
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
