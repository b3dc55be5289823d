import { randomUUID } from 'node:crypto';
import type { KafkaClient } from '@aorta/connectors/kafka/client';
import { until } from '../../../infra/machine/waiting.fixture.ts';

/** Returns the entries that a job keeps in the topic `_state`, without taking over the job. */
export async function keptEntries(client: KafkaClient, topic: string, job: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  const ends = (await client.admin.bounds(topic)).map(({ end }) => end);
  const read = ends.map(() => 0);
  await using _consumer = await client.consume({
    group: randomUUID(),
    topics: [topic],
    onAssigned: ({ low, partition }) => {
      read[partition] = low;
      return low;
    },
    onBatch: ({ partition }, { records, next }) => {
      read[partition] = next;
      for (const { key, value } of records) {
        const [owner, name] = /^([^/]*)\/(.*)$/s.exec(key!.toString())!.slice(1) as [string, string];
        // The entry without a name is the claim of the newest owner.
        if (owner !== job || name === '') continue;
        if (value === null) entries.delete(name);
        else entries.set(name, value.toString());
      }
    },
    onFailure: () => {},
  });
  await until('the end of the state', () => read.every((next, partition) => next >= ends[partition]!));
  return entries;
}
