export { PortTaken, ServerProblem } from '@aorta/machine';
export type { BigQueryControl, Quotas, ServerState } from './control.ts';
export { controlClient } from './control.ts';
export type { CallKind, Fault, FaultRule } from './fault-rules.ts';
export type { BigQueryOptions, ProvidedBigQuery } from './provide.ts';
export { provideBigQuery, whyNoBigQuery } from './provide.ts';
