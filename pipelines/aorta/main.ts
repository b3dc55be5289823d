import { writeSync } from 'node:fs';
import { processSurroundings, run } from './command-line.ts';
import { exit } from './exit.ts';
import { exceptionText } from './printing/errors.ts';
import { asWorker } from './supervision/worker.ts';

const FORGOTTEN_AFTER_MS = 500;

/** Runs the command line of this process and leaves its exit code. */
export async function start(): Promise<void> {
  // What nobody expected may have left anything undone: the process ends. Of the exception only its kind is said, since its message may quote a value.
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, exceptionText(error));
    } catch {
      // Nobody listens any more.
    }
    process.exit(exit.crashed);
  });
  const worker = asWorker();
  // An older Node started this process with a channel to itself (bin/aorta.js). When it is killed, so is this one; nothing is lost by that.
  if (worker === undefined && process.channel !== undefined) {
    process.channel?.unref();
    process.once('disconnect', () => process.exit(137));
  }
  process.exitCode = await run(process.argv.slice(2), processSurroundings(worker));
  // Everything is closed and written. What still keeps the process alive are timers that a library has forgotten.
  setTimeout(() => process.exit(), FORGOTTEN_AFTER_MS).unref();
}
