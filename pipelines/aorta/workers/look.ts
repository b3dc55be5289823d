import type { KafkaSettings } from '@aorta/consumers';
import { whereaboutsOf } from '@aorta/streams';
import { errorFields, isAortaError, silentLogger } from '@aorta/telemetry';
import type { Setting } from '../configuration/configuration.ts';
import { type GroupMember, groupMembers } from './group-members.ts';
import { readReports, stateOf } from './read-reports.ts';
import type { JudgedReport } from './workers.ts';

/** The reports of this place, judged, the latest first. */
export async function judgedReports(setting: Pick<Setting, 'place'>, now: number): Promise<readonly JudgedReport[]> {
  return (await readReports(setting.place)).map((report) => ({
    report,
    state: stateOf(report, now),
    supervised: report.supervisor !== null && isAlive(report, report.supervisor),
  }));
}

/** A supervisor is of the same machine and boot as the process that it started. */
function isAlive({ process }: JudgedReport['report'], pid: number): boolean {
  return whereaboutsOf({ ...process, pid, started: null }) === 'alive';
}

/** Members of the groups of the sources, and the sources whose cluster did not answer, with the code of the error. */
export interface SourceMembers {
  readonly members: readonly GroupMember[];
  readonly unanswered: readonly { readonly source: string; readonly code: string }[];
}

/** A person waits: brokers have to answer within this time. */
const PATIENCE = { connectMs: 5_000, requestMs: 10_000 };

/** Asks the cluster of every source of Kafka who reads it. A cluster that does not answer leaves the others as they are. */
export async function sourceMembers({ configuration }: Pick<Setting, 'configuration'>): Promise<SourceMembers> {
  const members: GroupMember[] = [];
  const unanswered: { source: string; code: string }[] = [];
  await Promise.all(
    configuration.sources.map(async (source) => {
      if (source.type !== 'kafka') return;
      try {
        members.push(...(await membersOf(source)));
      } catch (error) {
        if (!isAortaError(error)) throw error;
        unanswered.push({ source: source.name, code: String(errorFields(error).code ?? error.code) });
      }
    }),
  );
  return { members, unanswered };
}

async function membersOf(settings: KafkaSettings): Promise<readonly GroupMember[]> {
  // Loaded by those alone who read topics.
  const [{ connectionOf, probeTopics }, { openKafka }] = await Promise.all([
    import('@aorta/consumers/kafka'),
    import('@aorta/kafka-client'),
  ]);
  const client = openKafka({ ...(await connectionOf(settings, 'status')), ...PATIENCE }, { logger: silentLogger });
  try {
    const { admin } = client;
    const [found, topics] = await Promise.all([admin.members(settings.consumer_group), probeTopics(admin, settings)]);
    const byName = new Map(topics.map((topic) => [topic.topic, topic]));
    return groupMembers('ingestion', settings.name, found, ({ topic, partition }) => {
      const content = byName.get(topic);
      const bounds = content?.partitions[partition];
      if (content === undefined || bounds === undefined || bounds.end === 0) return undefined;
      const lag = Math.max(0, bounds.end - Math.max(bounds.low, content.committed[partition] ?? bounds.low));
      return { of: topic, partition, lag };
    });
  } finally {
    await client.close();
  }
}
