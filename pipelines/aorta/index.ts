/** The public library; docs/guides/library.md describes each function. Everything else in the packages may change at any time. */
export type {
  Delivery,
  DeliveryBatch,
  QueryValue,
  Source,
  SourceAdapter,
  StreamLogAdapter,
  WarehouseAdapter,
} from '@aorta/connectors';
export { Decimal } from '@aorta/connectors';
export {
  AortaError,
  type ErrorCatalogue,
  type ErrorClass,
  errorsOf,
  isAortaError,
  type LogFields,
  type Logger,
  type MetricCatalogue,
  type Metrics,
} from '@aorta/runtime';
export type { ErrorCode } from './catalogues.ts';
export type { LoadReport } from './report/load-report.ts';
export type { Choice } from './run/library.ts';
export {
  createPipeline,
  type Ending,
  type LoadOptions,
  load,
  type OpenWarehouse,
  type OwnSource,
  openWarehouse,
  type Pipeline,
  type PipelineOptions,
  type Row,
  type RowValue,
  type RunOptions,
  type RunResult,
  run,
} from './run/library.ts';
export type { DeadLettersEvent, ErrorEvent, Listeners, ProgressEvent } from './run/listeners.ts';
export type { LoadOutcome } from './run/load.ts';
