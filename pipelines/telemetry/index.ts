export { AortaError, catalogue, type ErrorClass, type ErrorCode, type ErrorDetails, isAortaError } from './errors.ts';
export { createLogger, errorFields, type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
export { type Step, type StepObserver, unobserved } from './steps.ts';
