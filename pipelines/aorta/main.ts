import { writeSync } from 'node:fs';
import type { AortaError } from '@aorta/runtime';
import { processSurroundings, run } from './cli/command-line.ts';
import { exit } from './cli/exit.ts';
import { callOf } from './cli/printing/command-lines.ts';
import { exceptionText, printError } from './cli/printing/errors.ts';
import { processTerminal } from './cli/printing/terminal.ts';
import { ProgramError } from './errors.ts';
import { asWorker } from './run/supervisor.ts';

const FORGOTTEN_AFTER_MS = 500;

/** Returns whether the working directory exists. Another process may have deleted it. */
function isFolderThere(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

const noFolder = (): AortaError =>
  new ProgramError('AORTA-PATH-REFUSED', { path: '.', problem: 'the working directory no longer exists' });

/** Runs the command line of this process and sets its exit code. */
export async function start(): Promise<void> {
  // After an uncaught exception the state is unknown, so the process exits. The message is not printed, because it may
  // quote a value.
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, exceptionText(error));
    } catch {
      // Standard error is closed, so there is nowhere to report the exception.
    }
    process.exit(exit.crashed);
  });
  const worker = asWorker();
  // If bin/aorta.js was run by an older version of Node, it started this process with an IPC channel. This process exits if
  // its parent is killed.
  if (worker === undefined && process.channel !== undefined) {
    process.channel?.unref();
    process.once('disconnect', () => process.exit(137));
  }
  process.exitCode = isFolderThere()
    ? await run(process.argv.slice(2), processSurroundings(worker))
    : await printError(processTerminal().err, noFolder(), callOf({}, process.env));
  // Everything is closed and written by now. Only timers that a library did not clear can still keep the process alive.
  setTimeout(() => process.exit(), FORGOTTEN_AFTER_MS).unref();
}
