export { backoff } from './backoff.ts';
export { compose } from './compose.ts';
export { AortaError, type ErrorFacts, type ErrorsOf, errorsOf, factsOf, firstError, isAortaError } from './errors/aorta-error.ts';
export type { ErrorCatalogue, ErrorClass } from './errors/catalogue.ts';
export { generalErrors } from './errors/general-errors.ts';
export { explained } from './errors/system-codes.ts';
export { cacheFolder } from './files/cache-folder.ts';
export { DAMAGED, keepAside, nameOfKept, OpenDamage, setAside } from './files/damaged-file.ts';
export {
  makeFolder,
  readFormatted,
  readIfThere,
  readJson,
  replaceFile,
  UNFINISHED,
  writeDurably,
} from './files/durable-file.ts';
export {
  diskOperations,
  FILE_MODE,
  type FileOperations,
  FOLDER_MODE,
  removedAfterwards,
  syncFolder,
  systemCode,
  unreadable,
  unwritable,
  type WritableFile,
  writeFully,
} from './files/file-operations.ts';
export { type FolderLock, lockFolder } from './files/folder-lock.ts';
export { fullDiskAt, fullDiskIn } from './files/free-space.ts';
export { type FileEntries, openKeptFile, readKeptFile } from './files/kept-file.ts';
export { pathText, systemPath } from './files/path-bytes.ts';
export { sealJson, unsealJson } from './files/sealed-json.ts';
export { damageInFolder } from './files/small-files.ts';
export type { LaneName } from './health/progress.ts';
export {
  type Lane,
  type LaneOptions,
  LONG_STEP_MS,
  Progress,
  type ProgressReports,
  STALLED_AFTER_MS,
  type WaitOptions,
  type Whereabouts,
  watchProgress,
} from './health/progress.ts';
export { healthOptions, openHealthServer } from './health/server.ts';
export {
  countingLogger,
  errorFields,
  LOGGER_NAME,
  type LogFields,
  type Logger,
  type LogLevel,
  silentLogger,
} from './logger.ts';
export { generalMetrics } from './metrics/general-metrics.ts';
export {
  type MetricCatalogue,
  type Metrics,
  MOST_SERIES,
  OVERFLOW,
  type SetGauge,
  sharedLabels,
  silentMetrics,
} from './metrics/metrics.ts';
export { ownIdentity, type ProcessIdentity, processIdentity, whereaboutsOf } from './process-identity.ts';
export { hostNameSchema, refusalOf } from './request-source.ts';
export { isHttpAddress, secret, secretText } from './secret.ts';
export { steadyNow, systemTime } from './steady-clock.ts';
export { type Step, type StepObserver, unobserved } from './steps.ts';
export { visible, visibleLines } from './visible.ts';
export { DeadlinePassed, pause, whenAborted, within } from './waits.ts';
