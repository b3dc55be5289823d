export { PortTaken, ServerProblem } from '@aorta/machine';
export { KafkaBroker, whyNoJvmBroker } from './broker.ts';
export { type ClusterOptions, KafkaCluster } from './cluster.ts';
export { provideBroker, whyNoBroker } from './provide.ts';
export type { BrokerFaults, BrokerOptions, ProvidedBroker } from './provided.ts';
export { createTopic, deleteTopic, dropRecords, type NewTopic } from './topics.ts';
