import { AortaError, errorFields, firstError, isAortaError, LOGGER_NAME, visibleLines } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { ConfigurationRefused } from '../../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Call, withCommandLines } from './command-lines.ts';
import { type Output, styled } from './terminal.ts';

/**
 * Prints an error with its remedy, never with a stack trace, and returns the exit code. If an error has no code, prints
 * only its kind, because its message may quote a value.
 */
export async function printError(err: Output, thrown: unknown, call: Call): Promise<ExitCode> {
  const error = firstError(thrown);
  if (error instanceof ConfigurationRefused) {
    await err.write(error.problems.map((problem) => errorText(err, problem, call)).join(''));
    if (error.problems.length > 1) await err.write(`${counted(error.problems.length, 'problem')} in the configuration.\n`);
    return exit.usage;
  }
  const known = isAortaError(error) ? error : bugOf(error);
  await err.write(errorText(err, known, call));
  if (known.class === 'usage') return exit.usage;
  return known.class === 'transient' ? exit.tryAgain : exit.failed;
}

/** Formats an error as two lines: what happened, and what to do. */
export function errorText(err: Output, error: AortaError, call: Call): string {
  return `${styled(err, 'red', 'aorta:')} ${error.message} ${styled(err, 'dim', `[${error.code}]`)}\n  ${withCommandLines(error.remedy, call)}\n`;
}

/** Formats an uncaught exception as a log line. */
export function exceptionText(error: unknown): string {
  const fields = errorFields(bugOf(firstError(error)));
  const line = JSON.stringify({
    level: 50,
    time: new Date().toISOString(),
    name: LOGGER_NAME,
    ...fields,
    msg: 'uncaught exception',
  });
  return `${visibleLines(line)}\n`;
}

/** Converts a file-system error into the matching error of the catalogue, and any other error into AORTA-BUG. */
function bugOf(error: unknown): AortaError {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code === 'string' && typeof path === 'string') {
    if (code === 'ENOENT') return new AortaError('AORTA-FILE-NOT-FOUND', { file: path });
    if (code === 'EACCES' || code === 'EISDIR' || code === 'ENOTDIR')
      return new AortaError('AORTA-FILE-UNREADABLE', { file: path, code });
    if (code === 'ENOSPC' || code === 'EROFS' || code === 'EDQUOT')
      return new AortaError('AORTA-DATA-UNWRITABLE', { path, code });
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return new AortaError('AORTA-BUG', { place: placeOf(error), problem: typeof code === 'string' ? `${kind}, ${code}` : kind });
}

/** Returns the file and line in Aorta's code where the error was thrown, for a bug report. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = /((?:pipelines|connectors|schemas|infra)\/[\w./-]+\.ts):(\d+)/;
  const [, file, line] = frames.map((frame) => own.exec(frame)).find((match) => match !== null) ?? [];
  return file === undefined ? 'an unknown place' : `${file}:${line}`;
}
