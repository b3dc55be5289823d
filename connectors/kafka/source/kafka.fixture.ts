import { type KafkaSettings, kafkaSourceOptions } from './options.ts';

/** Returns settings with timeouts of a few seconds. */
export function settingsFor(brokers: readonly string[], parts: Partial<KafkaSettings> = {}): KafkaSettings {
  return {
    ...kafkaSourceOptions.parse({
      type: 'kafka',
      brokers: [...brokers],
      topics: ['events'],
      commit_s: 0.1,
      session_s: 6,
      release_s: 3,
      metadata_s: 2,
    }),
    ...parts,
  };
}
