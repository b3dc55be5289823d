export type * from './client.ts';
export { dismiss } from './dismiss.ts';
export { openKafka } from './kafkajs/open.ts';
