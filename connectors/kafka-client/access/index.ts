/** Options for connecting to a cluster, shared by sources and streams. Importing this module does not load the Kafka client. */
export { accessOf } from './connection.ts';
export { brokersOption, loginOption, tlsOption, tlsProblem } from './options.ts';
