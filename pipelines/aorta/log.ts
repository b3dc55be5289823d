import { createLogger, type Logger, type LogLevel } from '@aorta/runtime';
import type { Setting } from './configuration/configuration.ts';

/** Creates the logger of a verb, at the configured level or else at the verb's default. */
export function logFor({ configuration }: Pick<Setting, 'configuration'>, level: LogLevel): Logger {
  return createLogger(configuration.log.level ?? level);
}

/** Returns the logger without errors, for a verb that prints them itself. */
export function withoutErrors(logger: Logger): Logger {
  return { ...logger, error: () => {} };
}
