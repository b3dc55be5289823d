export type * from './client.ts';
export { openKafka } from './kafkajs/open.ts';
