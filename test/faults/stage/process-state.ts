import { readFileSync } from 'node:fs';

/** The kernel's clock ticks per second. */
const TICKS = 100;

/**
 * Returns the state of a process and the CPU time that it has used, for the message of an error. State R with a growing CPU
 * time means that the process computes without end. State S means that it waits. Only Linux has these facts.
 */
export function processState(pid: number): string {
  try {
    // The state follows the name of the program, which is in parentheses.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return `process ${pid}: state ${fields[0]}, ${(Number(fields[11]) + Number(fields[12])) / TICKS} s of CPU`;
  } catch {
    return `process ${pid}: state unknown`;
  }
}

/**
 * Returns for how many milliseconds this thread has been ready to run while other threads had the cores, since it started. Zero
 * if the system is not Linux.
 */
export function waitedForCoreMs(): number {
  try {
    // The second field is in nanoseconds.
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
