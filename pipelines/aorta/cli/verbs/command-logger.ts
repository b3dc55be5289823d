import type { LogFields, Logger, LogLevel } from '@aorta/runtime';
import { createLogger } from '@aorta/runtime/json-logger';
import type { Setting } from '../../config/configuration.ts';
import { withCommandLines } from '../printing/command-lines.ts';

/** Creates the logger of a command. `level` applies if no level is configured. */
export function logFor({ configuration, call }: Pick<Setting<'log'>, 'configuration' | 'call'>, level: LogLevel): Logger {
  const logger = createLogger(configuration.log.level ?? level);
  const complete = (fields: LogFields = {}): LogFields =>
    typeof fields.remedy === 'string' ? { ...fields, remedy: withCommandLines(fields.remedy, call) } : fields;
  return {
    ...logger,
    warn: (event, fields) => logger.warn(event, complete(fields)),
    error: (event, fields) => logger.error(event, complete(fields)),
  };
}

/** Returns a logger that drops errors, for a command that prints errors itself. */
export function withoutErrors(logger: Logger): Logger {
  return { ...logger, error: () => {} };
}
