import type { ErrorCatalogue } from '../errors/catalogue.ts';
import type { LogFields, Logger } from '../logger.ts';
import type { generalMetrics } from './general.ts';
import type { Metrics } from './metrics.ts';

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
