import { within } from '@aorta/runtime';
import type { KafkaAdmin } from '../../kafka-client/index.ts';
import type { KafkaSettings } from './options.ts';
import { contentOf, type TopicContent } from './topics.ts';

/** A probed topic, and the group's committed offsets in it. */
export interface ProbedTopic extends TopicContent {
  /** Committed offsets by partition; undefined if the group never committed in the partition. */
  readonly committed: readonly (number | undefined)[];
  /** The setting for record timestamps; undefined if unknown. Timestamps that producers set (CreateTime) may go backwards. */
  readonly timestamps: 'CreateTime' | 'LogAppendTime' | undefined;
}

/** A partition whose committed offset is outside the log. */
export interface MisplacedGroup {
  readonly partition: number;
  readonly committed: number;
  readonly low: number;
  readonly end: number;
}

/** Timeout for requesting a topic's settings, in milliseconds. Not every cluster answers this request. */
const SETTINGS_MS = 5000;

/** Probes the topics of a source. Rejects with AORTA-KAFKA-TOPIC-MISSING, or with the client's error. */
export async function probeTopics(admin: KafkaAdmin, settings: KafkaSettings): Promise<readonly ProbedTopic[]> {
  const contents = await contentOf(admin, settings);
  return Promise.all(
    contents.map(async (content) => ({
      ...content,
      committed: await admin.committed(settings.consumer_group, content.topic),
      timestamps: await timestampsOf(admin, content.topic),
    })),
  );
}

/** Returns the partitions whose committed offset the source would reject, because it is before the start or beyond the end of the log. */
export function misplaced({ partitions, committed }: Pick<ProbedTopic, 'partitions' | 'committed'>): readonly MisplacedGroup[] {
  return partitions.flatMap(({ low, end }, partition) => {
    const at = committed[partition];
    return at === undefined || (at >= low && at <= end) ? [] : [{ partition, committed: at, low, end }];
  });
}

/** Counts the records of a topic that the group has not read yet. */
export function waiting({ partitions, committed }: Pick<ProbedTopic, 'partitions' | 'committed'>): number {
  return partitions.reduce(
    (sum, { low, end }, partition) => sum + Math.max(0, end - Math.max(low, committed[partition] ?? low)),
    0,
  );
}

async function timestampsOf(admin: KafkaAdmin, topic: string): Promise<ProbedTopic['timestamps']> {
  try {
    const type = (await within(SETTINGS_MS, admin.settings(topic))).get('message.timestamp.type');
    return type === 'CreateTime' || type === 'LogAppendTime' ? type : undefined;
  } catch {
    // Event Hubs does not answer this request.
    return undefined;
  }
}
