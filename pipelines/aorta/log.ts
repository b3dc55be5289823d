import { createLogger, type Logger, type LogLevel } from '@aorta/runtime';
import type { Setting } from './configuration/configuration.ts';

/** The logger of a verb: at the configured level, or at the verb's own. */
export function logFor({ configuration }: Pick<Setting, 'configuration'>, level: LogLevel): Logger {
  return createLogger(configuration.log.level ?? level);
}

/** The logger without errors: for a verb that tells them to a person itself. */
export function withoutErrors(logger: Logger): Logger {
  return { ...logger, error: () => {} };
}
