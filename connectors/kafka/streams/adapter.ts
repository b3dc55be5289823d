import type { StreamLogAdapter } from '../../stream-log.ts';
import { topicErrors } from './errors.ts';
import { type KafkaStreamsSettings, kafkaStreamsOptions } from './options.ts';

/** The adapter for streams in the topics of a Kafka cluster. */
export const streamLog: StreamLogAdapter<KafkaStreamsSettings> = {
  type: 'kafka',
  errors: topicErrors,
  options: kafkaStreamsOptions,
  address: import.meta.url,
  load: async () => (await import('./module.ts')).topics,
  describe: ({ brokers, prefix }) => ({
    text: `topics ${prefix}… of ${brokers.join(', ')}`,
    folder: null,
    facts: { brokers, prefix },
  }),
  isShared: true,
  isPlanned: true,
};
