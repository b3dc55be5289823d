export { openKafkaStreams } from './open.ts';
export { type KafkaStreamsSettings, kafkaStreamsOptions, streamsConnection } from './options.ts';
export { applyTopics, topicOf } from './topics.ts';
