import type { ErrorCatalogue } from '../errors/catalogue.ts';
import type { LogFields, Logger } from '../logger.ts';
import type { generalMetrics } from './general.ts';
import type { Metrics } from './metrics.ts';

/** The logger, counting the errors and warnings that go through it by their code, if the catalogue has it. */
export function countingLogger(logger: Logger, metrics: Metrics<typeof generalMetrics>, catalogue: ErrorCatalogue): Logger {
  const counting =
    (level: 'warn' | 'error') =>
    (event: string, fields: LogFields = {}): void => {
      const code = typeof fields.code === 'string' && Object.hasOwn(catalogue, fields.code) ? fields.code : 'none';
      // A warning without a code is a remark; an error without one is an exception.
      if (code !== 'none' || level === 'error') metrics.count('aorta_errors_total', { code });
      logger[level](event, fields);
    };
  return { ...logger, warn: counting('warn'), error: counting('error') };
}
