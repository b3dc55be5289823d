export { connectionOf } from './connection.ts';
export { KafkaSource, type KafkaSourceOptions } from './source.ts';
