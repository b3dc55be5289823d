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
export type { Choice } from './library/choice.ts';
export type { DeadLettersEvent, ErrorEvent, Listeners, ProgressEvent } from './library/listeners.ts';
export { type LoadOptions, load } from './library/load.ts';
export {
  createPipeline,
  type Ending,
  type OwnSource,
  type Pipeline,
  type PipelineOptions,
  type RunOptions,
  type RunResult,
  run,
} from './library/pipeline.ts';
export { type OpenWarehouse, openWarehouse, type Row, type RowValue } from './library/warehouse.ts';
export type { LoadReport } from './report/load-report.ts';
export type { LoadOutcome } from './run/load.ts';
