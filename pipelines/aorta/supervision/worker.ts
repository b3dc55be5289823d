import { type ChildProcess, spawn } from 'node:child_process';

/** Names the supervisor to the process that it starts; a process further down sees that it is not meant. */
const SUPERVISOR = 'AORTA_SUPERVISOR_PID';
const RESTARTS = 'AORTA_RESTARTS';

/** That this process works under a supervisor. */
export interface Worker {
  /** Crashes of working processes before this one. */
  readonly restarts: number;
  /** Aborts when the supervisor has ended without a word, and nobody would start this process again or stop it. */
  readonly abandoned: AbortSignal;
}

/** Time that an abandoned process has to end in order. */
const ENDING_MS = 60_000;

/** Starts this program once more, with the same words, as the working process. The channel between the two closes when either ends. */
export function startWorker(restarts: number): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [SUPERVISOR]: String(process.pid), [RESTARTS]: String(restarts) },
  });
}

/** What this process is under its supervisor; undefined where it has none. */
export function asWorker(): Worker | undefined {
  if (process.channel === undefined || process.env[SUPERVISOR] !== String(process.ppid)) return undefined;
  const abandoned = new AbortController();
  // The channel alone does not keep the process running.
  process.channel?.unref();
  process.once('disconnect', () => {
    abandoned.abort();
    setTimeout(() => process.exit(137), ENDING_MS).unref();
  });
  return { restarts: Number(process.env[RESTARTS]), abandoned: abandoned.signal };
}
