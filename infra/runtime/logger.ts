import { firstError, isAortaError } from './errors/aorta-error.ts';
import type { ErrorCatalogue } from './errors/catalogue.ts';
import type { generalMetrics } from './metrics/general-metrics.ts';
import type { Metrics } from './metrics/metrics.ts';

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The fields of a log line: names, counts and positions. The type excludes objects, so that no payload is logged. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Value of `name` in each log line. It distinguishes the logs of Aorta from those of other programs that use pino. */
export const LOGGER_NAME = 'aorta';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Returns the fields of an error that are safe to log. Omits the message of an error from a library, because it may quote health data. */
export function errorFields(thrown: unknown): LogFields {
  const error = firstError(thrown);
  if (isAortaError(error)) return { code: error.code, message: error.message, remedy: error.remedy };
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { kind: error.name, errno: code };
  }
  return { kind: typeof error };
}

/** Wraps a logger so that it counts errors and warnings by code. A code that is not in the catalogue counts as `none`. */
export function countingLogger(logger: Logger, metrics: Metrics<typeof generalMetrics>, catalogue: ErrorCatalogue): Logger {
  const counting =
    (level: 'warn' | 'error') =>
    (event: string, fields: LogFields = {}): void => {
      const code = typeof fields.code === 'string' && Object.hasOwn(catalogue, fields.code) ? fields.code : 'none';
      // An error without a code is an unexpected exception, and is counted. Warnings without a code are not counted.
      if (code !== 'none' || level === 'error') metrics.count('aorta_errors_total', { code });
      logger[level](event, fields);
    };
  return { ...logger, warn: counting('warn'), error: counting('error') };
}
