import type { AdapterSettings } from '../../adapter.ts';
import { type KafkaSettings, kafkaSourceOptions } from '../kafka/options.ts';
import type { IntakeTopic, WebhookSettings } from './options.ts';

/** The settings of streams in topics that a topic of the same cluster needs. */
interface ClusterOfStreams extends Pick<IntakeTopic, 'brokers' | 'tls' | 'login' | 'partitions' | 'retention_hours'> {
  readonly prefix: string;
  readonly replicas?: number | undefined;
}

/** Returns the settings with an intake topic in the cluster of the streams, unless an intake is configured or the streams are local. */
export function withTopicOfStreams(settings: WebhookSettings, streams: AdapterSettings): WebhookSettings {
  if (settings.intake !== undefined || streams.type !== 'kafka') return settings;
  const { brokers, tls, login, prefix, partitions, replicas, retention_hours } = streams as AdapterSettings & ClusterOfStreams;
  // Names of sources may have characters that a topic name may not have.
  const name = `${prefix}intake.${settings.name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`;
  const copies = replicas === undefined ? {} : { replicas };
  return {
    ...settings,
    intake: { brokers, tls, login, topic: name, consumer_group: name, partitions, retention_hours, ...copies },
  };
}

/** Returns the settings with which the Kafka source reads the intake topic. */
export function kafkaSettingsOf({ name, held_bytes }: WebhookSettings, intake: IntakeTopic): KafkaSettings {
  const { brokers, tls, login, topic, consumer_group } = intake;
  return kafkaSourceOptions.parse({ type: 'kafka', name, brokers, tls, login, topics: [topic], consumer_group, held_bytes });
}
