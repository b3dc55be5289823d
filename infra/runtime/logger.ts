import { type DestinationStream, type Level, type Logger as PinoLogger, pino } from 'pino';
import { isAortaError } from './errors/aorta-error.ts';
import { firstError } from './first-error.ts';

/** What may be logged: names, counts and positions. The type keeps objects, and so payloads, out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A logger of JSON lines to stderr (standard output belongs to data). */
export function createLogger(level: LogLevel, destination: DestinationStream = process.stderr): Logger {
  const inner: PinoLogger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const at =
    (name: Level) =>
    (event: string, fields: LogFields = {}) =>
      inner[name](fields, event);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The fields of an error that may be logged: of an error that is not ours only its kind, since its message may quote a value. */
export function errorFields(thrown: unknown): LogFields {
  const error = firstError(thrown);
  if (isAortaError(error)) return { code: error.code, message: error.message, remedy: error.remedy };
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { kind: error.name, ...(code === undefined ? {} : { errno: code }) };
  }
  return { kind: typeof error };
}
