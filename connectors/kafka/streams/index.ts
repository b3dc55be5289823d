export { topicOf } from '../../streams/topic-names.ts';
export { openKafkaStreams } from './kafka-log.ts';
export { type KafkaStreamsSettings, kafkaStreamsOptions, streamsConnection } from './options.ts';
export { applyTopics } from './topics.ts';
