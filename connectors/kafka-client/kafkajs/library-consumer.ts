import type { Consumer, Kafka } from 'kafkajs';
import { assignerFor } from './assignment.ts';
import { RETRY } from './connection.ts';
import type { Cluster } from './internals.ts';
import { library } from './library.ts';
import { type GroupHooks, keepGroup } from './workarounds.ts';

/**
 * Maximum time, in milliseconds, that a fetch waits for records. Resuming a partition or leaving the group can take this long.
 * Even if there are no records, each fetch costs a millisecond of CPU time.
 */
const FETCH_WAIT_MS = 500;
const FETCH_BYTES = 16 * 1024 * 1024;
const PARTITION_BYTES = 1024 * 1024;
const LONGEST_RETRY_MS = 1_000;

/** Settings of the library's consumer. Times are in milliseconds. */
export interface LibraryConsumerSettings {
  readonly kafka: Kafka;
  readonly group: string;
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  readonly rebalanceMs: number;
  readonly metadataAgeMs: number;
}

export interface LibraryConsumerKeeper {
  readonly keeper: GroupHooks;
  /** Called once with kafkajs's internal cluster, before the consumer joins its group. */
  readonly onCluster: (cluster: Cluster) => void;
  /** Throws if the consumer may no longer join the group. */
  readonly mayJoin: () => void;
}

/** Creates a kafkajs consumer that does not commit, deliver or restart by itself. */
export function createLibraryConsumer(
  { kafka, group, sessionMs, heartbeatMs, rebalanceMs, metadataAgeMs }: LibraryConsumerSettings,
  { keeper, onCluster, mayJoin }: LibraryConsumerKeeper,
): Consumer {
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    rebalanceTimeout: rebalanceMs,
    heartbeatInterval: heartbeatMs,
    metadataMaxAge: metadataAgeMs,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    maxBytesPerPartition: PARTITION_BYTES,
    // We detect a dead consumer by its silence and replace it ourselves, so the library never restarts it.
    retry: { ...RETRY, maxRetryTime: LONGEST_RETRY_MS, retries: Number.MAX_SAFE_INTEGER, restartOnFailure: async () => false },
    partitionAssigners: [
      (given) => {
        const { cluster } = given as unknown as { cluster: Cluster };
        onCluster(cluster);
        const assigner = assignerFor(cluster, library().AssignerProtocol, mayJoin);
        keepGroup(assigner, keeper);
        return assigner;
      },
    ],
  });
}
