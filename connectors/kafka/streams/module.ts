import { randomUUID } from 'node:crypto';
import { silentLogger } from '@aorta/runtime';
import { count, counted } from '@aorta/runtime/quantity';
import { type StreamName, streamNames } from '@aorta/schemas';
import { type Finding, failure } from '../../adapter.ts';
import { groupMembers } from '../../ownership.ts';
import type {
  LoadedRecords,
  ProbeOfStreams,
  ReadBatch,
  StreamListing,
  StreamLog,
  StreamLogAt,
  StreamLogModule,
  StreamLogState,
  StreamPartition,
  StreamsView,
  WorkingGroups,
} from '../../stream-log.ts';
import { registerTopic, topicOf } from '../../streams/topic-names.ts';
import type { KafkaAdmin, KafkaConnection } from '../client/client.ts';
import { TopicError } from './errors.ts';
import { openKafkaOwnership } from './group-ownership.ts';
import { formOf, openKafkaStreams } from './kafka-log.ts';
import { openKeptState } from './kept-state.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { Register } from './register.ts';
import { TopicReader } from './topic-reader.ts';
import { applyTopics, groupOf, planTopics } from './topics.ts';

interface TopicsViewOptions {
  readonly settings: KafkaStreamsSettings;
  readonly clientId: string;
  /** Default: all streams. */
  readonly streams?: readonly StreamName[];
  /** Returns the start position for a partition with these bounds. Default: the start of the partition. */
  readonly from?: (low: number, end: number) => number;
}

/** Maximum time, in milliseconds, that a read waits for records that exist but have not arrived. */
const PATIENCE_MS = 30_000;

/** Opens a view of the topics. The view uses a temporary consumer group, so it does not affect other readers. Rejects with the same errors as opening the log. */
async function openTopicsView({ settings, clientId, streams = streamNames, from }: TopicsViewOptions): Promise<StreamsView> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../client/open.ts');
  await using opening = new AsyncDisposableStack();
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger: silentLogger }));
  let wake: () => void = () => {};
  const topics = new Map(streams.map((stream) => [stream, topicOf(settings, stream)]));
  const register = opening.use(await Register.open(client, registerTopic(settings), settings.prefix, silentLogger));
  const reading = opening.use(
    await TopicReader.open({
      client,
      form: formOf(settings, topics, register),
      group: 'look',
      groupId: `${settings.prefix}_look.${randomUUID()}`,
      streams: new Map([...topics].map(([stream, topic]) => [topic, stream])),
      incarnation: (topic) => register.incarnation(topic),
      carried: () => undefined,
      begin: from,
      onNews: () => wake(),
      bufferBytes: settings.buffer_bytes,
      overtaken: 'stop',
      logger: silentLogger,
    }),
  );
  const read: StreamLog['read'] = async <S extends StreamName>(
    of: StreamPartition<S>,
    position: number,
    limit: { records: number; bytes: number },
  ): Promise<ReadBatch<S>> => {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const batch = await reading.read(of, position, limit);
      if (batch.to > position || position >= reading.end(of)) return batch;
      if (performance.now() > until)
        throw new TopicError('AORTA-STREAM-SILENT', { topic: topicOf(settings, of.stream), seconds: PATIENCE_MS / 1000 });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const opened = opening.move();
  return {
    assigned: () => reading.assigned(),
    start: (of) => reading.start(of),
    end: (of) => reading.end(of),
    read,
    groups: () => [],
    committed: () => undefined,
    look: () => reading.look(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Timeouts that replace the client's longer defaults. */
type Patience = Pick<KafkaConnection, 'connectMs' | 'requestMs'>;

/** The settings of the cluster that holds the topics, and the client id for the connection. */
type TopicsAt = Pick<StreamLogAt<KafkaStreamsSettings>, 'settings' | 'clientId'>;

/** Connects to the cluster that holds the streams, runs `ask`, and disconnects. */
async function askTopics<T>(
  { settings, clientId }: TopicsAt,
  ask: (admin: KafkaAdmin) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../client/open.ts');
  await using client = openKafka({ ...streamsConnection(settings, clientId), ...patience }, { logger: silentLogger });
  return await ask(client.admin);
}

/** A partition of a stream's topic, and how far the loader has merged it. */
interface PartitionFacts {
  readonly stream: StreamName;
  readonly partition: number;
  /** The position of the first record that the partition still has. `end` is the position after its last record that can be read. */
  readonly start: number;
  readonly end: number;
  /** The last position that the loader's group committed; null if the group has committed none. */
  readonly position: number | null;
  readonly lag: number;
  /** Client id of the worker that owns the partition; null if no worker owns it. */
  readonly worker: string | null;
}

type LoadedPartitions = Pick<StreamLogState<string>, 'members'> & { readonly partitions: readonly PartitionFacts[] };

/** Returns the partitions that have held records, and the group's progress in each. Returns none for a stream without a topic. */
async function partitionsOf(at: TopicsAt, group: string, patience?: Patience): Promise<readonly PartitionFacts[]> {
  return (await askTopics(at, (admin) => loadedBy(admin, at.settings, group, ''), patience)).partitions;
}

/** Returns how far a group has loaded the streams. Also returns the members of this group and of `groups.others`. */
function stateOf<Part extends string>(at: TopicsAt, group: string, groups: WorkingGroups<Part>): Promise<StreamLogState<Part>> {
  return askTopics(at, async (admin) => {
    const [loading, ...rest] = await Promise.all([
      loadedBy(admin, at.settings, group, groups.loading),
      // The partitions of these groups are not listed. They only represent shares of work, or belong to streams that the group
      // does not load into the tables.
      ...groups.others.map(async (one) =>
        groupMembers(await admin.members(groupOf(at.settings, one.group))).map((member) => ({
          part: one.part,
          group: one.group,
          ...member,
        })),
      ),
    ]);
    const streams = [...Map.groupBy(loading.partitions, ({ stream }) => stream)].map(([stream, partitions]) => {
      const records = partitions.reduce((sum, { start, end }) => sum + end - start, 0);
      const lag = partitions.reduce((sum, one) => sum + one.lag, 0);
      return { stream, records, landed: records - lag, lag };
    });
    return { streams, losses: [], members: [...(loading.members as StreamLogState<Part>['members']), ...rest.flat()] };
  });
}

async function loadedBy(
  admin: KafkaAdmin,
  settings: KafkaStreamsSettings,
  group: string,
  part: string,
): Promise<LoadedPartitions> {
  const present = new Set(await admin.topics());
  const found = await admin.members(groupOf(settings, group));
  const workers = new Map<string, string>();
  for (const { client, partitions } of found)
    for (const { topic, partition } of partitions) workers.set(`${topic}/${partition}`, client);
  const facts = new Map<string, PartitionFacts>();
  const ofStream = async (stream: StreamName): Promise<void> => {
    const topic = topicOf(settings, stream);
    if (!present.has(topic)) return;
    const [bounds, committed] = await Promise.all([admin.bounds(topic), admin.committed(groupOf(settings, group), topic)]);
    for (const [partition, { low, stable: end }] of bounds.entries()) {
      if (end === 0) continue;
      const position = committed[partition] ?? null;
      const worker = workers.get(`${topic}/${partition}`) ?? null;
      const lag = Math.max(0, end - Math.max(low, position ?? low));
      facts.set(`${topic}/${partition}`, { stream, partition, start: low, end, position, lag, worker });
    }
  };
  await Promise.all(streamNames.map(ofStream));
  const members = groupMembers(found, ({ topic, partition }) => {
    const one = facts.get(`${topic}/${partition}`);
    return one === undefined ? undefined : { of: one.stream, partition, lag: one.lag };
  });
  const partitions = [...facts.values()].sort((a, b) =>
    a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition,
  );
  return { partitions, members: members.map((member) => ({ part, group, ...member })) };
}

export const topics: StreamLogModule<KafkaStreamsSettings> = {
  open: ({ folder: _, ...opening }) => openKafkaStreams({ ...opening, append: true }),
  openReader: ({ folder: _, group, carried, onNews, ...opening }) =>
    openKafkaStreams({ ...opening, read: { group, carried, onNews } }),
  openView: ({ settings, clientId }, { streams, last } = {}) =>
    openTopicsView({
      settings,
      clientId,
      streams,
      from: last === undefined ? undefined : (low, end) => Math.max(low, end - last),
    }),
  state: (at, { group }, groups) => stateOf(at, group, groups),
  list,
  probe,
  plan: (at) => askTopics(at, (admin) => planTopics(admin, at.settings)),
  apply: (at, how) => askTopics(at, (admin) => applyTopics(admin, at.settings, how)),
  unmade: (topic) => new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic }),
  openKept: ({ settings, clientId }, owner) => openKeptState(settings, clientId, owner),
  openGroupReader: ({ folder: _, group, streams, carried, ...opening }) =>
    openKafkaStreams({ ...opening, read: { group, streams, carried, overtaken: 'continue', onNews: () => {} } }),
  own: ({ settings, clientId }, work) => openKafkaOwnership({ settings, clientId, ...work }),
  release: (at, memberships) =>
    askTopics(at, async (admin) => {
      for (const { group, member } of memberships) await admin.removeMembers(groupOf(at.settings, group), member);
    }),
};

async function list(at: TopicsAt, { group }: Pick<LoadedRecords, 'group'>): Promise<StreamListing> {
  const facts = await partitionsOf(at, group);
  const right = { align: 'right' } as const;
  return {
    facts,
    losses: [],
    columns: [
      { name: 'stream' },
      { name: 'partition', ...right },
      { name: 'start', ...right },
      { name: 'end', ...right },
      { name: 'position', ...right },
      { name: 'lag', ...right },
      { name: 'worker' },
    ],
    rows: facts.map(({ stream, partition, start, end, position, lag, worker }) => [
      stream,
      String(partition),
      count(start),
      count(end),
      position === null ? '–' : count(position),
      count(lag),
      worker ?? '–',
    ]),
  };
}

/** Checks that the topics exist and match the configuration, and counts the records that are not in the tables yet. */
async function probe(at: TopicsAt, { group }: LoadedRecords, { connectMs, requestMs }: ProbeOfStreams): Promise<Finding> {
  const check = 'streams';
  try {
    const patience = { connectMs, requestMs };
    const differences = await askTopics(at, (admin) => planTopics(admin, at.settings), patience);
    const missing = differences.filter(({ kind }) => kind === 'missing').length;
    if (missing > 0)
      return { check, state: 'fail', found: `${counted(missing, 'topic')} missing`, remedy: 'Create them with `aorta apply`.' };
    const partitions = await partitionsOf(at, group, patience);
    const behind = partitions.reduce((sum, { lag }) => sum + lag, 0);
    const found = `the topics exist; ${counted(behind, 'record')} not in the tables yet`;
    if (differences.length === 0) return { check, state: 'ok', found };
    return {
      check,
      state: 'warn',
      found: `${found}; they differ from the configuration`,
      remedy: 'See the differences with `aorta plan`.',
    };
  } catch (error) {
    return failure(check, error);
  }
}
