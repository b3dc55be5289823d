export { pause, whenAborted } from './aborting.ts';
export { DeadlinePassed, within } from './deadline.ts';
export { AortaError, catalogue, type ErrorClass, type ErrorCode, type ErrorDetails, isAortaError } from './errors.ts';
export { type HealthSettings, healthOptions } from './health/options.ts';
export {
  type Lane,
  type LaneFacts,
  type LaneName,
  type LaneOptions,
  LONG_STEP_MS,
  Progress,
  type ProgressReports,
  STALLED_AFTER_MS,
  type WaitOptions,
  type Whereabouts,
} from './health/progress.ts';
export { type HealthServer, openHealthServer } from './health/server.ts';
export { watchProgress } from './health/watch-progress.ts';
export { createLogger, errorFields, type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
export {
  type LabelsOf,
  labelCatalogue,
  type MetricEntry,
  type MetricName,
  MOST_SERIES,
  metricCatalogue,
  OVERFLOW,
} from './metrics/catalogue.ts';
export { countingLogger } from './metrics/counting-logger.ts';
export { type Metrics, type SetGauge, silentMetrics } from './metrics/metrics.ts';
export { type Step, type StepObserver, unobserved } from './steps.ts';
