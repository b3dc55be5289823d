/** A consumer group member in its own process, for tests. It reports its events on standard output, one JSON object per line. */
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@aorta/runtime';
import type { AssignedPartition } from './client.ts';
import { openKafka } from './open.ts';

/** An event in the life of an assignment. Each assignment is identified by its member's name and a number. */
export interface MemberEvent {
  readonly kind: 'assigned' | 'read' | 'committed' | 'refused' | 'lost' | 'failed';
  readonly assignment: string;
  readonly partition: number;
  readonly at: number;
  readonly offsets?: readonly number[];
  readonly next?: number;
}

const [brokers, group, topic, member, sessionMs] = process.argv.slice(2) as [string, string, string, string, string];
const client = openKafka({ brokers: brokers.split(','), clientId: member }, { logger: silentLogger });
const numbers = new Map<AssignedPartition, string>();

function tell(kind: MemberEvent['kind'], partition: AssignedPartition, facts: object = {}): void {
  const assignment = numbers.get(partition)!;
  process.stdout.write(`${JSON.stringify({ kind, assignment, partition: partition.partition, at: Date.now(), ...facts })}\n`);
}

const consumer = await client.consume({
  group,
  topics: [topic],
  sessionMs: Number(sessionMs),
  onAssigned: (partition) => {
    numbers.set(partition, `${member}-${numbers.size}`);
    partition.lost.addEventListener('abort', () => tell('lost', partition));
    tell('assigned', partition);
    return partition.committed ?? partition.low;
  },
  onBatch: (partition, batch) => {
    tell('read', partition, { offsets: batch.records.map(({ offset }) => offset) });
    void keep(partition, batch.next);
  },
  onRelease: async () => {
    await Promise.allSettled(keeping);
  },
  onFailure: () => process.exit(1),
});

const keeping = new Set<Promise<unknown>>();

/** Simulates a slow write and then commits. */
async function keep(partition: AssignedPartition, next: number): Promise<void> {
  // The time at which the commit request was sent. If the process is suspended, the answer may arrive much later.
  let at = 0;
  const work = sleep(20).then(() => {
    at = Date.now();
    return partition.commit(next);
  });
  keeping.add(work);
  try {
    tell((await work) ? 'committed' : 'refused', partition, { next, at });
  } catch {
    tell('failed', partition, { next, at });
  } finally {
    keeping.delete(work);
  }
}

process.on('SIGTERM', async () => {
  await consumer.stop();
  await client.close();
  process.exit(0);
});
