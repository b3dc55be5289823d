export { clientIdOf, connectionOf } from './connection.ts';
export { type MisplacedGroup, misplaced, type ProbedTopic, probeTopics, waiting } from './probe.ts';
export { KafkaSource, type KafkaSourceOptions } from './source.ts';
