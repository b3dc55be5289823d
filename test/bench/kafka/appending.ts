import type { KafkaStreamsSettings } from '@aorta/connectors/kafka/streams';
import type { StreamRecords } from '@aorta/schemas';
import { type Spent, spent } from '../measure.ts';
import { openTopics } from './into-streams.ts';
import { recordOf } from './records.ts';

/** Number of bytes per flush, the default of Aorta's consumers. */
const FLUSH_BYTES = 4 * 1024 * 1024;

let records: readonly StreamRecords['activity'][] = [];

/** Measures appending records from memory to the topic of their stream. */
export async function append({ streams, events }: { streams: KafkaStreamsSettings; events: number }): Promise<Spent> {
  if (records.length !== events) records = Array.from({ length: events }, (_, index) => recordOf(index));
  const log = await openTopics(streams);
  const took = await spent(async () => {
    for (const record of records) {
      log.append('activity', record);
      if (log.pendingBytes() >= FLUSH_BYTES) await log.flush();
    }
    await log.flush();
  });
  await log.close();
  return took;
}
