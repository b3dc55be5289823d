export { KafkaBroker, whyNoJvmBroker } from './broker.ts';
export { BrokerProblem, PortTaken } from './problem.ts';
export { provideBroker, whyNoBroker } from './provide.ts';
export type { BrokerFaults, BrokerOptions, ProvidedBroker } from './provided.ts';
export { createTopic, type NewTopic } from './topics.ts';
