// A separate entry point, because pino takes long to load and most commands do not need it.

import { type DestinationStream, type Level, type Logger as PinoLogger, pino } from 'pino';
import { LOGGER_NAME, type LogFields, type Logger, type LogLevel } from './logger.ts';
import { visibleLines } from './visible.ts';

/**
 * Creates a logger that writes JSON lines to standard error. Standard output is reserved for data. A terminal can show the lines as
 * they are: JSON alone would leave some control characters in them.
 */
export function createLogger(level: LogLevel, destination: DestinationStream = process.stderr): Logger {
  const shown: DestinationStream = { write: (line) => destination.write(visibleLines(line)) };
  const inner: PinoLogger = pino({ level, base: { name: LOGGER_NAME }, timestamp: pino.stdTimeFunctions.isoTime }, shown);
  const at =
    (name: Level) =>
    (event: string, fields: LogFields = {}) =>
      inner[name](fields, event);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
