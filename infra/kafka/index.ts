export { type BrokerOptions, KafkaBroker } from './broker.ts';
export { BrokerProblem } from './problem.ts';
