export { openKafkaStreams } from './kafka-log.ts';
export { type KafkaStreamsSettings, kafkaStreamsOptions, streamsConnection } from './options.ts';
export { applyTopics, topicOf } from './topics.ts';
