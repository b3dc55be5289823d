export { TopicError, topicErrors } from './errors.ts';
export { KeptState, openKeptState } from './kept-state.ts';
export { openKafkaStreams } from './open.ts';
export { type KafkaStreamsSettings, kafkaStreamsOptions, streamsConnection } from './options.ts';
export { openKafkaOwnership } from './ownership/open.ts';
export { applyTopics, groupOf, planTopics, topicOf } from './topics.ts';
export { openTopicsView } from './view.ts';
