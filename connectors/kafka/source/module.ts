import { silentLogger, within } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import { type Finding, failure } from '../../adapter.ts';
import { type GroupMember, groupMembers } from '../../ownership.ts';
import type { ClaimsOfWorker, Patience, ProbeSurroundings, Source, SourceSurroundings } from '../../source.ts';
import { type CommittedPartition, missingRecords, openStreamsId } from '../../sources/committed-record.ts';
import type { Committed, KafkaAdmin, TopicPartition } from '../client/client.ts';
import { openKafka } from '../client/open.ts';
import { brokersOf, clientIdOf, connectionOf, contentOf, type TopicContent } from './cluster.ts';
import { readNote } from './commit-note.ts';
import { partitionName } from './delivery-of-record.ts';
import { KafkaSourceError } from './errors.ts';
import { HELD_MS, isHeld, openTransaction } from './open-transactions.ts';
import type { KafkaSettings } from './options.ts';
import { KafkaSource } from './source.ts';

/** Timeout for requesting a topic's settings or a record, in milliseconds. Not every cluster answers the first request. */
const SETTINGS_MS = 5000;

export async function open(settings: KafkaSettings, surroundings: SourceSurroundings): Promise<Source> {
  const streams = await openStreamsId(surroundings.state);
  return new KafkaSource({ ...surroundings, settings, open: openKafka, streams });
}

export async function release(settings: KafkaSettings, { worker }: ClaimsOfWorker): Promise<void> {
  await using client = openKafka(await connectionOf(settings), { logger: silentLogger });
  await client.admin.removeMembers(settings.consumer_group, clientIdOf(settings, worker));
}

/** A probed topic, and the group's committed offsets in it. */
interface ProbedTopic extends TopicContent {
  /** Committed offsets by partition; undefined if the group never committed in the partition. */
  readonly committed: readonly (number | undefined)[];
  readonly commits: readonly (Committed | undefined)[];
  /** The setting for record timestamps; undefined if unknown. Timestamps that producers set (CreateTime) may go backwards. */
  readonly timestamps: 'CreateTime' | 'LogAppendTime' | undefined;
}

/** A partition whose committed offset is outside the log. */
interface MisplacedGroup {
  readonly partition: number;
  readonly committed: number;
  readonly low: number;
  readonly end: number;
}

/** Probes the topics of a source. Rejects with AORTA-KAFKA-TOPIC-MISSING, or with the client's error. */
async function probeTopics(admin: KafkaAdmin, settings: KafkaSettings): Promise<readonly ProbedTopic[]> {
  const contents = await contentOf(admin, settings);
  return Promise.all(
    contents.map(async (content) => {
      const commits = await admin.commits(settings.consumer_group, content.topic);
      const committed = commits.map((commit) => commit?.next);
      return { ...content, commits, committed, timestamps: await timestampsOf(admin, content.topic) };
    }),
  );
}

/** Returns the partitions whose committed offset the source would reject, because it is before the start or beyond the end of the log. */
export function misplaced({ partitions, committed }: Pick<ProbedTopic, 'partitions' | 'committed'>): readonly MisplacedGroup[] {
  return partitions.flatMap(({ low, end }, partition) => {
    const at = committed[partition];
    return at === undefined || (at >= low && at <= end) ? [] : [{ partition, committed: at, low, end }];
  });
}

/** Counts the records of a topic that the group could read, but has not read yet. */
export function waiting({ partitions, committed }: Pick<ProbedTopic, 'partitions' | 'committed'>): number {
  return partitions.reduce(
    (sum, { low, stable }, partition) => sum + Math.max(0, stable - Math.max(low, committed[partition] ?? low)),
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

export async function members(settings: KafkaSettings, patience: Patience): Promise<readonly GroupMember[]> {
  await using client = openKafka({ ...(await connectionOf(settings, 'status')), ...patience }, { logger: silentLogger });
  const { admin } = client;
  const [found, topics] = await Promise.all([admin.members(settings.consumer_group), probeTopics(admin, settings)]);
  const byName = new Map(topics.map((topic) => [topic.topic, topic]));
  return groupMembers(found, ({ topic, partition }) => {
    const content = byName.get(topic);
    const bounds = content?.partitions[partition];
    if (content === undefined || bounds === undefined || bounds.end === 0) return undefined;
    const lag = Math.max(0, bounds.stable - Math.max(bounds.low, content.committed[partition] ?? bounds.low));
    return { of: topic, partition, lag };
  });
}

/**
 * Checks that every configured topic can be reached, that its log contains the group's offsets, and that the streams contain the
 * last committed records. Reports who sets record timestamps.
 */
export async function probe(sources: readonly KafkaSettings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const { patience } = surroundings;
  const findings = sources.map((source) => {
    const connect_s = Math.min(source.connect_s, patience.connectMs / 1000);
    const request_s = Math.min(source.request_s, patience.requestMs / 1000);
    return clusterFindings({ ...source, connect_s, request_s }, surroundings);
  });
  return (await Promise.all(findings)).flat();
}

async function clusterFindings(source: KafkaSettings, surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const check = `kafka ${source.name}`;
  try {
    await using client = openKafka(await connectionOf(source), { logger: silentLogger });
    const topics = await probeTopics(client.admin, source);
    if (topics.length === 0) return [noTopic(check, source)];
    const group = { source: source.name, group: source.consumer_group };
    const committed = topics.flatMap((topic) => committedPartitions(topic, source));
    return [
      ...topics.flatMap((topic) => [
        ...topicFindings(topic, source),
        ...misplaced(topic).map((misplacement) => misplacedFinding(topic.topic, source, misplacement)),
      ]),
      ...(await openTransactions(client.admin, topics, source)),
      ...(await missingRecords(group, committed, surroundings)),
    ];
  } catch (error) {
    return [failure(check, error)];
  }
}

/** Warns about transactions that have been open for long. Shorter ones are normal for topics with transactional producers. */
async function openTransactions(
  admin: KafkaAdmin,
  topics: readonly ProbedTopic[],
  source: KafkaSettings,
): Promise<readonly Finding[]> {
  const cluster = { admin, brokers: brokersOf(source), answerMs: SETTINGS_MS };
  const held = topics.flatMap(({ topic, partitions }) =>
    partitions.flatMap((bounds, partition) => (isHeld(bounds) ? [{ at: { topic, partition }, bounds }] : [])),
  );
  const found = held.map(async ({ at, bounds }): Promise<Finding[]> => {
    const { error, since } = await openTransaction(at, bounds, cluster);
    return since !== undefined && Date.now() - since < HELD_MS ? [] : [failure(`topic ${at.topic}`, error, 'warn')];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the partitions in which the group has committed records. */
function committedPartitions({ topic, partitions, commits }: ProbedTopic, source: KafkaSettings): readonly CommittedPartition[] {
  return commits.flatMap((commit, partition) => {
    const note = readNote(commit?.note);
    // Without a note, a person or another tool may have set the offset.
    const last = note === undefined ? { offset: (commit?.next ?? 0) - 1, streams: undefined } : note.last;
    if (last === undefined || last.offset < 0) return [];
    const rewind = (from: number): string =>
      resetCommand(source, { topic, partition }, Math.max(from, partitions[partition]?.low ?? 0));
    return [{ ...last, partition: partitionName({ topic, partition }), rewind }];
  });
}

function resetCommand(source: KafkaSettings, { topic, partition }: TopicPartition, offset: number): string {
  const of = `--bootstrap-server ${brokersOf(source).join(',')} --group ${shellWord(source.consumer_group)} --topic ${topic}:${partition}`;
  return `run \`kafka-consumer-groups.sh ${of} --reset-offsets --to-offset ${offset} --execute\``;
}

function noTopic(check: string, source: KafkaSettings): Finding {
  return {
    check,
    state: 'warn',
    found: `no topic at ${brokersOf(source).join(', ')} matches topics_regex`,
    remedy: 'Correct topics_regex, or wait: a matching topic is read as soon as it exists.',
  };
}

function topicFindings(topic: ProbedTopic, source: KafkaSettings): Finding[] {
  const check = `topic ${topic.topic}`;
  const found = `${counted(topic.partitions.length, 'partition')}, the group ${source.consumer_group} has a lag of ${counted(waiting(topic), 'record')} at ${brokersOf(source).join(', ')}`;
  if (topic.timestamps !== 'CreateTime') return [{ check, state: 'ok', found }];
  return [
    { check, state: 'ok', found },
    {
      check,
      state: 'warn',
      found: 'producers set the timestamps of its records (message.timestamp.type is CreateTime), so they may go backwards',
      remedy:
        'The version order of deliveries uses these timestamps. Set message.timestamp.type=LogAppendTime for the topic, unless it has a single producer with one clock.',
    },
  ];
}

/** Reports that the source would reject the committed offset. The finding is only a warning if the source may skip expired records. */
function misplacedFinding(topic: string, source: KafkaSettings, { partition, committed, low, end }: MisplacedGroup): Finding {
  const place = { group: source.consumer_group, partition: `${topic}/${partition}`, committed };
  const check = `topic ${topic}`;
  if (committed >= low) return failure(check, new KafkaSourceError('AORTA-KAFKA-OFFSET-BEYOND', { ...place, end }));
  const expired = new KafkaSourceError('AORTA-KAFKA-OFFSET-EXPIRED', { ...place, low, records: low - committed });
  return failure(check, expired, source.when_expired === 'continue' ? 'warn' : 'fail');
}
