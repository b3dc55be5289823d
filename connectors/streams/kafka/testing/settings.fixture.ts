import { type KafkaStreamsOptions, type KafkaStreamsSettings, kafkaStreamsOptions } from '../options.ts';

export const GROUP_OF_TESTS = 'warehouse';

/** Settings of streams that need no broker to be named. */
export function settingsOf(options: Partial<KafkaStreamsOptions> = {}): KafkaStreamsSettings {
  return kafkaStreamsOptions.parse({ type: 'kafka', brokers: ['localhost:9092'], ...options });
}
