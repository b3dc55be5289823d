import { type AortaError, within } from '@aorta/runtime';
import { latestEventPosition } from '@azure/event-hubs';
import type { LogBounds } from '../reading-plan.ts';
import { failureOf, setupError } from './hub-error.ts';
import { LogEnds } from './hub-partitions.ts';
import { closedAfterwards, type Namespace } from './namespace.ts';

export interface ProbedHub {
  readonly hub: string;
  /** Bounds of each partition, by its id. */
  readonly partitions: ReadonlyMap<string, LogBounds>;
}

/** Maximum duration of each step of a probe, in milliseconds. */
const PROBE_MS = 10_000;

/**
 * Asks a hub for its partitions, and briefly opens its consumer group. Rejects within seconds with AORTA-HUB-REFUSED,
 * AORTA-HUB-MISSING, AORTA-HUB-GROUP-MISSING, AORTA-HUB-UNREACHABLE or AORTA-HUB-FAILED. It does not use the receiving
 * client, which would retry for minutes.
 */
export async function probeHub(namespace: Namespace, hub: string): Promise<ProbedHub> {
  const ends = new LogEnds(namespace, hub);
  using _ends = closedAfterwards(ends);
  let asking: 'hub' | 'group' = 'hub';
  try {
    const ids = await within(PROBE_MS, ends.partitions());
    const bounds = await within(PROBE_MS, Promise.all(ids.map((id) => ends.bounds(id))));
    asking = 'group';
    await within(PROBE_MS, openGroup(namespace, hub, ids[0]!));
    return { hub, partitions: new Map(ids.map((id, index) => [id, bounds[index]!])) };
  } catch (error) {
    throw probeError(error, namespace, hub, asking);
  }
}

function probeError(error: unknown, { host, group }: Namespace, hub: string, asking: 'hub' | 'group'): AortaError {
  return setupError(error, { namespace: host, hub, group }, asking);
}

/** Resolves once the group has accepted a reader. A refusal because another reader is active also proves that the group exists. */
async function openGroup(namespace: Namespace, hub: string, partitionId: string): Promise<void> {
  const client = namespace.asker(hub);
  using _client = closedAfterwards(client);
  await new Promise<void>((resolve, reject) => {
    client.subscribe(
      partitionId,
      {
        processEvents: async () => resolve(),
        processError: async (error) => (failureOf(error) === 'stolen' ? resolve() : reject(error)),
      },
      { startPosition: latestEventPosition, maxBatchSize: 1, maxWaitTimeInSeconds: 0.1, skipParsingBodyAsJson: true },
    );
  });
}
