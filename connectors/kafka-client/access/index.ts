/** How a cluster is reached, as it is configured: one form for sources and for streams. Loads nothing of the client. */
export { accessOf } from './connection.ts';
export { brokersOption, loginOption, tlsOption, tlsProblem } from './options.ts';
