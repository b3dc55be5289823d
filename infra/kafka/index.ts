export { KafkaBroker, whyNoJvmBroker } from './broker.ts';
export { BrokerProblem, PortTaken } from './problem.ts';
export type { BrokerFaults, BrokerOptions, ProvidedBroker } from './provided.ts';
