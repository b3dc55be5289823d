import { createLogger, type Logger, type LogLevel } from '@aorta/runtime';
import type { Setting } from './configuration/configuration.ts';

/** Creates the logger of a command. `level` applies if no level is configured. */
export function logFor({ configuration }: Pick<Setting<'log'>, 'configuration'>, level: LogLevel): Logger {
  return createLogger(configuration.log.level ?? level);
}

/** Returns a logger that drops errors, for a command that prints errors itself. */
export function withoutErrors(logger: Logger): Logger {
  return { ...logger, error: () => {} };
}
