import { type KafkaStreamsOptions, type KafkaStreamsSettings, kafkaStreamsOptions } from '../options.ts';

export const GROUP_OF_TESTS = 'warehouse';

/** Returns settings of streams with a placeholder broker. */
export function settingsOf(options: Partial<KafkaStreamsOptions> = {}): KafkaStreamsSettings {
  return kafkaStreamsOptions.parse({ type: 'kafka', brokers: ['localhost:9092'], ...options });
}
