import { setTimeout as sleep } from 'node:timers/promises';
import { streamNames } from '@aorta/schemas';
import type { AppliedTopics, TopicDifference } from '../../stream-log.ts';
import { registerTopic, sharesTopic, stateTopic, topicOf } from '../../streams/topic-names.ts';
import type { KafkaAdmin, TopicSettings } from '../client/client.ts';
import type { KafkaStreamsSettings } from './options.ts';

/**
 * A worker that takes over a job reads a whole partition of the state topic. With more partitions, it has to read less of the
 * other jobs' state.
 */
const STATE_PARTITIONS = 8;

const HOUR_MS = 3_600_000;

/** Milliseconds within which every broker should know a new topic. */
const SEEN_MS = 30_000;

/** Returns the name of a group as the brokers know it. The prefix separates installations that share a cluster. */
export function groupOf({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>, group: string): string {
  return `${prefix}${group}`;
}

export function declaredTopics(settings: KafkaStreamsSettings): readonly TopicSettings[] {
  const { partitions, replicas, min_in_sync: minInSync, retention_hours: hours, record_bytes: bytes } = settings;
  const copies = replicas === undefined ? {} : { replicas };
  const durable: Record<string, string> = minInSync === undefined ? {} : { 'min.insync.replicas': String(minInSync) };
  const ofStream = {
    ...durable,
    'cleanup.policy': 'delete',
    'retention.ms': String(Math.round(hours * HOUR_MS)),
    'retention.bytes': '-1',
    'max.message.bytes': String(bytes),
    // A record's timestamp is the time at which the broker appended it. The record itself contains the time of receipt.
    'message.timestamp.type': 'LogAppendTime',
  };
  return [
    // Created first, because `topicsOfStreams` recognizes an installation by these three.
    { topic: registerTopic(settings), partitions: 1, ...copies, settings: { ...durable, 'cleanup.policy': 'compact' } },
    {
      topic: stateTopic(settings),
      partitions: STATE_PARTITIONS,
      ...copies,
      settings: { ...durable, 'cleanup.policy': 'compact' },
    },
    { topic: sharesTopic(settings), partitions, ...copies, settings: { ...durable, 'cleanup.policy': 'delete' } },
    ...streamNames.map((stream) => ({ topic: topicOf(settings, stream), partitions, ...copies, settings: ofStream })),
  ];
}

/** Compares the topics of the streams with their declarations. Changes nothing. */
export async function planTopics(admin: KafkaAdmin, settings: KafkaStreamsSettings): Promise<readonly TopicDifference[]> {
  const present = new Set(await admin.topics());
  const declared = declaredTopics(settings);
  return (await Promise.all(declared.map((topic) => differencesOf(admin, topic, present.has(topic.topic))))).flat();
}

async function differencesOf(
  admin: KafkaAdmin,
  { topic, partitions, settings = {} }: TopicSettings,
  present: boolean,
): Promise<TopicDifference[]> {
  const found = present ? await admin.partitions(topic) : undefined;
  if (found === undefined) return [{ kind: 'missing', topic }];
  const differences: TopicDifference[] = [];
  if (found !== partitions) differences.push({ kind: 'partitions', topic, declared: partitions, found });
  const inForce = await admin.settings(topic);
  for (const [setting, declared] of Object.entries(settings)) {
    const one = inForce.get(setting);
    if (one !== declared) differences.push({ kind: 'setting', topic, setting, declared, found: one });
  }
  return differences;
}

/**
 * Creates missing topics. Adds partitions only if `grow` is set, because that moves most users to a different partition (see
 * `partitionOfKey`). Does not change settings of existing topics, because the operator may have changed them. Returns the
 * remaining differences in `left`.
 */
export async function applyTopics(
  admin: KafkaAdmin,
  settings: KafkaStreamsSettings,
  { grow = false }: { readonly grow?: boolean } = {},
): Promise<AppliedTopics> {
  const made: string[] = [];
  const grown: string[] = [];
  const declared = new Map(declaredTopics(settings).map((topic) => [topic.topic, topic]));
  const change = async (difference: TopicDifference): Promise<void> => {
    const topic = declared.get(difference.topic)!;
    if (difference.kind === 'missing') {
      // This does not fail if another process or an earlier attempt of this call has already created the topic.
      await admin.create(topic);
      made.push(topic.topic);
    }
    if (difference.kind === 'partitions' && grow && difference.found < difference.declared) {
      await admin.addPartitions(topic.topic, difference.declared);
      grown.push(topic.topic);
    }
  };
  await Promise.all((await planTopics(admin, settings)).map(change));
  const changed = new Set([...made, ...grown]);
  const deadline = performance.now() + SEEN_MS;
  for (;;) {
    const left = await planTopics(admin, settings);
    // It takes a moment until every broker knows a new topic.
    const unseen = left.some(({ kind, topic }) => kind !== 'setting' && changed.has(topic));
    if (!unseen || performance.now() > deadline) return { made, grown, left };
    await sleep(100);
  }
}
