import type { KafkaStreamsSettings } from '@aorta/connectors/streams/kafka';
import type { StreamRecords } from '@aorta/schemas';
import { type Spent, spent } from '../measure.ts';
import { openTopics } from './into-streams.ts';
import { recordOf } from './records.ts';

/** Bytes of a flush, as consumers have them. */
const FLUSH_BYTES = 4 * 1024 * 1024;

let records: readonly StreamRecords['activity'][] = [];

/** Records of a stream onto its topic, from memory. */
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
