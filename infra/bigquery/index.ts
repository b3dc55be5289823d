export { PortTaken, ServerProblem } from '@aorta/machine';
export type { BigQueryControl, Quotas, ServerState } from './control.ts';
export { controlClient } from './control-port.ts';
export type { CallKind, Fault, FaultRule } from './faults/fault.ts';
export { provideBigQuery, whyNoBigQuery } from './provide.ts';
export type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';
