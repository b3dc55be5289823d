export { pause, whenAborted } from './aborting.ts';
export { compose } from './compose.ts';
export { DeadlinePassed, within } from './deadline.ts';
export { AortaError, type ErrorFacts, type ErrorsOf, errorsOf, factsOf, isAortaError } from './errors/aorta-error.ts';
export type { ErrorCatalogue, ErrorClass, ErrorDetails, ErrorEntry } from './errors/catalogue.ts';
export { generalErrors } from './errors/general.ts';
export { makeFolder, readIfThere, readJson, replaceFile, UNFINISHED, writeDurably } from './files/durable-file.ts';
export {
  diskOperations,
  type FileOperations,
  removedAfterwards,
  syncFolder,
  systemCode,
  unreadable,
  unwritable,
  type WritableFile,
  writeFully,
} from './files/file-operations.ts';
export { type FolderLock, lockFolder } from './files/folder-lock.ts';
export { firstError } from './first-error.ts';
export { type HealthSettings, healthOptions } from './health/options.ts';
export {
  type Lane,
  type LaneFacts,
  type LaneOptions,
  LONG_STEP_MS,
  Progress,
  type ProgressReports,
  STALLED_AFTER_MS,
  type WaitOptions,
  type Whereabouts,
} from './health/progress.ts';
export { type HealthServer, openHealthServer } from './health/server.ts';
export type { LaneName } from './health/stall.ts';
export { watchProgress } from './health/watch-progress.ts';
export { createLogger, errorFields, type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
export { type MetricCatalogue, type MetricEntry, MOST_SERIES, OVERFLOW, sharedLabels } from './metrics/catalogue.ts';
export { countingLogger } from './metrics/counting-logger.ts';
export { generalMetrics } from './metrics/general.ts';
export { type Metrics, type SetGauge, silentMetrics } from './metrics/metrics.ts';
export { ownIdentity, type ProcessIdentity, processIdentity, whereaboutsOf } from './process-identity.ts';
export { type Step, type StepObserver, unobserved } from './steps.ts';
export { visible, visibleLines } from './visible.ts';
