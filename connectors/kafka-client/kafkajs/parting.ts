import { within } from '@aorta/runtime';
import type { Consumer } from 'kafkajs';
import { atMost } from './deadline.ts';
import type { Cluster, ConsumerGroup } from './internals.ts';

/** Timeout of each step, in milliseconds. */
const PARTING_MS = 3_000;

export interface Leftovers {
  readonly consumer: Consumer;
  readonly group: ConsumerGroup | undefined;
  readonly cluster: Cluster | undefined;
  /** Whether to leave the group. If not, the group waits until the session expires. */
  readonly leaves: boolean;
}

/** Stops a consumer of the library in any state and releases its resources. Never rejects. Each step has a timeout. */
export async function part({ consumer, group, cluster, leaves }: Leftovers): Promise<void> {
  const isQuiet = await within(PARTING_MS, consumer.stop()).then(
    () => true,
    () => false,
  );
  // The library does not leave the group if it was still joining. The other members would then wait for the session to expire.
  if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(PARTING_MS, group.leave());
  await Promise.all([atMost(PARTING_MS, consumer.disconnect()), atMost(PARTING_MS, cluster?.disconnect() ?? Promise.resolve())]);
}
