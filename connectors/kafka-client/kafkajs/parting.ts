import { within } from '@aorta/runtime';
import type { Consumer } from 'kafkajs';
import { atMost } from './deadline.ts';
import type { Cluster, ConsumerGroup } from './internals.ts';

/** What leaving and disconnecting may take. */
const PARTING_MS = 3_000;

export interface Leftovers {
  readonly consumer: Consumer;
  readonly group: ConsumerGroup | undefined;
  readonly cluster: Cluster | undefined;
  /** Whether the group hears of it; else it waits until the session ends. */
  readonly leaves: boolean;
}

/** Ends a consumer of the library, whatever state it is in: nothing of it stays. Never rejects, and has deadlines. */
export async function part({ consumer, group, cluster, leaves }: Leftovers): Promise<void> {
  const isQuiet = await within(PARTING_MS, consumer.stop()).then(
    () => true,
    () => false,
  );
  // Where it was still joining, the library does not leave; the others would wait for this member until its session ends.
  if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(PARTING_MS, group.leave());
  await Promise.all([atMost(PARTING_MS, consumer.disconnect()), atMost(PARTING_MS, cluster?.disconnect() ?? Promise.resolve())]);
}
