import { setTimeout as sleep } from 'node:timers/promises';
import { type StreamName, streamNames } from '@aorta/schemas';
import type { KafkaAdmin, TopicSettings } from '../../kafka-client/index.ts';
import type { AppliedTopics, TopicDifference } from '../../stream-log-adapter.ts';
import type { KafkaStreamsSettings } from './options.ts';

/** Topic of a stream. */
export function topicOf({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>, stream: StreamName): string {
  return `${prefix}${stream}`;
}

/** A group as the brokers know it: another installation on the same cluster has groups of its own. */
export function groupOf({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>, group: string): string {
  return `${prefix}${group}`;
}

/** The topic of a few notes about the others: incarnations and schemas. Its name is none of a stream. */
export function registerTopic({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>): string {
  return `${prefix}_register`;
}

/** The topic whose partitions stand for shares of work; it holds no records. */
export function sharesTopic({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>): string {
  return `${prefix}_shares`;
}

/** The topic of what single workers remember for whoever goes on after them. */
export function stateTopic({ prefix }: Pick<KafkaStreamsSettings, 'prefix'>): string {
  return `${prefix}_state`;
}

/** What is remembered is read whole at a takeover: so that few have to read what is another's. */
const STATE_PARTITIONS = 8;

const HOUR_MS = 3_600_000;

/** After so long every broker ought to know of a topic that was made. */
const SEEN_MS = 30_000;

/** Every topic that the streams have, as it is made. */
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
    // Of Aorta's own clock: receipts are in the records.
    'message.timestamp.type': 'LogAppendTime',
  };
  return [
    ...streamNames.map((stream) => ({ topic: topicOf(settings, stream), partitions, ...copies, settings: ofStream })),
    { topic: registerTopic(settings), partitions: 1, ...copies, settings: { ...durable, 'cleanup.policy': 'compact' } },
    {
      topic: stateTopic(settings),
      partitions: STATE_PARTITIONS,
      ...copies,
      settings: { ...durable, 'cleanup.policy': 'compact' },
    },
    { topic: sharesTopic(settings), partitions, ...copies, settings: { ...durable, 'cleanup.policy': 'delete' } },
  ];
}

/** Compares the topics of the streams with what is declared. Changes nothing. */
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
 * Makes the topics that are missing, and adds partitions only where `grow` says so: most users belong to another
 * partition afterwards (see `partitionOfKey`). Settings of topics that are there are the operator's: they stay, and
 * stand in what is given back, which is what still differs.
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
      // Where it was there already, another process has made it meanwhile, or this call did before it was repeated.
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
    // What was made is not known to every broker at once.
    const unseen = left.some(({ kind, topic }) => kind !== 'setting' && changed.has(topic));
    if (!unseen || performance.now() > deadline) return { made, grown, left };
    await sleep(100);
  }
}
