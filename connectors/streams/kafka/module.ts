import { count, counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../../finding.ts';
import type { LoadedRecords, ProbeOfStreams, StreamListing, StreamLogModule } from '../../stream-log-adapter.ts';
import { askTopics, partitionsOf, stateOf, type TopicsAt } from './asking.ts';
import { TopicError } from './errors.ts';
import { openKeptState } from './kept-state.ts';
import { openKafkaStreams } from './open.ts';
import type { KafkaStreamsSettings } from './options.ts';
import { openKafkaOwnership } from './ownership/open.ts';
import { applyTopics, groupOf, planTopics } from './topics.ts';
import { openTopicsView } from './view.ts';

export const topics: StreamLogModule<KafkaStreamsSettings> = {
  open: ({ folder: _, ...opening }) => openKafkaStreams({ ...opening, append: true }),
  openReader: ({ folder: _, group, carried, onNews, commit: __, ...opening }) =>
    openKafkaStreams({ ...opening, read: { group, carried, onNews } }),
  openView: ({ settings, clientId }, { streams, last } = {}) =>
    openTopicsView({
      settings,
      clientId,
      ...(streams === undefined ? {} : { streams }),
      ...(last === undefined ? {} : { from: (low, end) => Math.max(low, end - last) }),
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
      for (const { group, member } of memberships) await admin.dismiss(groupOf(at.settings, group), member);
    }),
};

async function list(at: TopicsAt, { group }: Pick<LoadedRecords, 'group'>): Promise<StreamListing> {
  const facts = await partitionsOf(at, group);
  const right = { align: 'right' } as const;
  return {
    facts,
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
