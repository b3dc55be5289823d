import { silentLogger } from '@aorta/runtime';
import { type GroupMember, groupMembers } from '../../group-member.ts';
import { dismiss, openKafka } from '../../kafka-client/index.ts';
import type { ClaimsOfWorker, Patience, Source, SourceSurroundings } from '../../source.ts';
import { clientIdOf, connectionOf } from './connection.ts';
import type { KafkaSettings } from './options.ts';
import { probeTopics } from './probe.ts';
import { KafkaSource } from './source.ts';

export { probe } from './doctor.ts';

export async function open(settings: KafkaSettings, surroundings: SourceSurroundings): Promise<Source> {
  return new KafkaSource({ ...surroundings, settings, open: openKafka });
}

export async function release(settings: KafkaSettings, { worker }: ClaimsOfWorker): Promise<void> {
  await dismiss(await connectionOf(settings), [settings.consumer_group], clientIdOf(settings, worker));
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
    const lag = Math.max(0, bounds.end - Math.max(bounds.low, content.committed[partition] ?? bounds.low));
    return { of: topic, partition, lag };
  });
}
