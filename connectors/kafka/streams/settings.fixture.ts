import { type KafkaStreamsOptions, type KafkaStreamsSettings, kafkaStreamsOptions } from './options.ts';

export const GROUP_OF_TESTS = 'warehouse';

/** Returns stream settings with the address of a broker that does not exist. */
export function settingsOf(options: Partial<KafkaStreamsOptions> = {}): KafkaStreamsSettings {
  return kafkaStreamsOptions.parse({ type: 'kafka', brokers: ['localhost:9092'], ...options });
}
