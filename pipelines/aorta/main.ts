import { run } from './command-line.ts';

const FORGOTTEN_AFTER_MS = 500;

/** Runs the command line of this process and leaves its exit code. */
export async function start(): Promise<void> {
  // An older Node started this process with a channel to itself (bin/aorta.js). When it is killed, so is this one; nothing is lost by that.
  if (process.channel !== undefined) {
    process.channel?.unref();
    process.once('disconnect', () => process.exit(137));
  }
  process.exitCode = await run(process.argv.slice(2));
  // Everything is closed and written. What still keeps the process alive are timers that a library has forgotten.
  setTimeout(() => process.exit(), FORGOTTEN_AFTER_MS).unref();
}
