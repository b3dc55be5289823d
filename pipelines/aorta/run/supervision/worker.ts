import { type ChildProcess, spawn } from 'node:child_process';

/** Environment variable with the supervisor's process id. It distinguishes a worker from the worker's child processes. */
const SUPERVISOR = 'AORTA_SUPERVISOR_PID';
const RESTARTS = 'AORTA_RESTARTS';

/** This process, if a supervisor started it as a worker. */
export interface Worker {
  /** Number of crashes of earlier workers under the same supervisor. */
  readonly restarts: number;
  /** Aborts when the supervisor ends, because it can then no longer stop or restart this process. */
  readonly abandoned: AbortSignal;
}

/** Maximum time, in milliseconds, that a worker may take to stop gracefully after its supervisor is gone. */
const ENDING_MS = 60_000;

/**
 * Starts this program as a worker process, with the same arguments. The channel between supervisor and worker closes when
 * either process ends.
 */
export function startWorker(restarts: number): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [SUPERVISOR]: String(process.pid), [RESTARTS]: String(restarts) },
  });
}

/** Describes this process as a worker. Returns undefined if it has no supervisor. */
export function asWorker(): Worker | undefined {
  if (process.channel === undefined || process.env[SUPERVISOR] !== String(process.ppid)) return undefined;
  const abandoned = new AbortController();
  // Without this call, the channel would keep the process alive.
  process.channel?.unref();
  process.once('disconnect', () => {
    abandoned.abort();
    setTimeout(() => process.exit(137), ENDING_MS).unref();
  });
  return { restarts: Number(process.env[RESTARTS]), abandoned: abandoned.signal };
}
