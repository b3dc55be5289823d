import { type KafkaAdmin, openKafka } from '../../../kafka-client/index.ts';
import type { SourceSurroundings } from '../../../source.ts';
import { connectionOf } from '../../kafka/connection.ts';
import type { KafkaSettings } from '../../kafka/options.ts';
import { KafkaSource } from '../../kafka/source.ts';
import type { IntakeTopic } from '../options.ts';
import { TopicIntake } from './topic-intake.ts';

const HOUR_MS = 3_600_000;

/** Opens the intake log in a topic, and creates the topic if it does not exist. Rejects with AORTA-KAFKA-…. */
export async function openTopicIntake(
  intake: IntakeTopic,
  settings: KafkaSettings,
  surroundings: SourceSurroundings,
): Promise<TopicIntake> {
  const { topic } = intake;
  const client = openKafka(await connectionOf(settings, surroundings.worker), surroundings);
  try {
    const partitions = (await client.admin.partitions(topic)) ?? (await create(client.admin, intake));
    const reader = new KafkaSource({ ...surroundings, settings, open: openKafka });
    return await TopicIntake.open({ client, topic, partitions, reader });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Creates the topic. Another receiver may have created it at the same time, with its own number of partitions. */
async function create(admin: KafkaAdmin, { topic, partitions, replicas, retention_hours }: IntakeTopic): Promise<number> {
  const settings = {
    'cleanup.policy': 'delete',
    'retention.ms': String(Math.round(retention_hours * HOUR_MS)),
    'retention.bytes': '-1',
    'message.timestamp.type': 'LogAppendTime',
  };
  await admin.create({ topic, partitions, settings, ...(replicas === undefined ? {} : { replicas }) });
  return (await admin.partitions(topic)) ?? partitions;
}
