import { type ChildProcess, spawn } from 'node:child_process';

/** Variable with the supervisor's process id. It tells a worker from the worker's own child processes. */
const SUPERVISOR = 'AORTA_SUPERVISOR_PID';
const RESTARTS = 'AORTA_RESTARTS';

/** A worker process under a supervisor. */
export interface Worker {
  /** Crashes of earlier workers under the same supervisor. */
  readonly restarts: number;
  /** Aborts when the supervisor dies, because it can no longer stop or restart this process. */
  readonly abandoned: AbortSignal;
}

/** Milliseconds that a worker without supervisor has to stop gracefully. */
const ENDING_MS = 60_000;

/** Starts this program with the same arguments as a worker process. The channel between the two closes when either ends. */
export function startWorker(restarts: number): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [SUPERVISOR]: String(process.pid), [RESTARTS]: String(restarts) },
  });
}

/** Returns this process as a worker; undefined if it has no supervisor. */
export function asWorker(): Worker | undefined {
  if (process.channel === undefined || process.env[SUPERVISOR] !== String(process.ppid)) return undefined;
  const abandoned = new AbortController();
  // Without this, the channel would keep the process running.
  process.channel?.unref();
  process.once('disconnect', () => {
    abandoned.abort();
    setTimeout(() => process.exit(137), ENDING_MS).unref();
  });
  return { restarts: Number(process.env[RESTARTS]), abandoned: abandoned.signal };
}
