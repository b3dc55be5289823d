import { within } from '@aorta/runtime';
import type { KafkaAdmin } from '../../kafka-client/index.ts';
import type { KafkaSettings } from './options.ts';
import { contentOf, type TopicContent } from './topics.ts';

/** What a topic answered, and where the group is in it. */
export interface ProbedTopic extends TopicContent {
  /** What the group committed, by partition; undefined where it never did. */
  readonly committed: readonly (number | undefined)[];
  /** Whose time the records have: with the producers', it may run backwards. Undefined where the cluster does not tell. */
  readonly timestamps: 'CreateTime' | 'LogAppendTime' | undefined;
}

/** A partition in which the group does not stand in the log. */
export interface MisplacedGroup {
  readonly partition: number;
  readonly committed: number;
  readonly low: number;
  readonly end: number;
}

/** Milliseconds that the settings of a topic may take: not every cluster tells them. */
const SETTINGS_MS = 5000;

/** Asks the cluster for the topics of a source. Rejects with AORTA-KAFKA-TOPIC-MISSING, and as the client does. */
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

/** Where the group would be refused: before the first offset that the log still has, or behind its end. */
export function misplaced({ partitions, committed }: Pick<ProbedTopic, 'partitions' | 'committed'>): readonly MisplacedGroup[] {
  return partitions.flatMap(({ low, end }, partition) => {
    const at = committed[partition];
    return at === undefined || (at >= low && at <= end) ? [] : [{ partition, committed: at, low, end }];
  });
}

/** Records of a topic that the group has not read yet. */
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
    // Event Hubs answers no such question.
    return undefined;
  }
}
