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
  /** Whether to leave the group. If not, the group waits until the member's session expires. */
  readonly leaves: boolean;
}

/** Stops a kafkajs consumer, whatever its state, and releases its resources. Never rejects. Each step has a timeout. */
export async function part({ consumer, group, cluster, leaves }: Leftovers): Promise<void> {
  const isQuiet = await within(PARTING_MS, consumer.stop()).then(
    () => true,
    () => false,
  );
  // If the consumer was still joining, the library does not make it leave the group. Without this call, the other members
  // would wait for its session to expire.
  if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(PARTING_MS, group.leave());
  await Promise.all([atMost(PARTING_MS, consumer.disconnect()), atMost(PARTING_MS, cluster?.disconnect() ?? Promise.resolve())]);
}
