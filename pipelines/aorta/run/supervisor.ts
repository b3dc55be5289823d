import { type ChildProcess, spawn } from 'node:child_process';
import { backoff, type Logger } from '@aorta/runtime';
import { exit } from '../cli/exit.ts';

const CLEARING_MS = 10_000;

/** Environment variable with the supervisor's process id. It distinguishes a worker from the worker's child processes. */
const SUPERVISOR = 'AORTA_SUPERVISOR_PID';

const RESTARTS = 'AORTA_RESTARTS';

/** Maximum time, in milliseconds, that a worker may take to stop gracefully after its supervisor is gone. */
const ENDING_MS = 60_000;

/** How a worker process ended: with an exit code or by a signal. */
export type Ending =
  | { readonly code: number; readonly signal?: undefined }
  | { readonly signal: string; readonly code?: undefined };

/** An event during supervision. Times are milliseconds of a monotonic clock. */
export type Happening =
  | { readonly kind: 'ended'; readonly ending: Ending; readonly at: number }
  | { readonly kind: 'rested'; readonly at: number }
  | { readonly kind: 'stop'; readonly signal: StopSignal };

type StopSignal = 'SIGINT' | 'SIGTERM';

/** An action for the supervisor to carry out. */
export type Order =
  | { readonly kind: 'start'; readonly restarts: number }
  | { readonly kind: 'rest'; readonly milliseconds: number; readonly restarts: number }
  | { readonly kind: 'pass-on'; readonly signal: StopSignal }
  /** Supervision is over. The supervisor exits in the same way as the worker process. */
  | { readonly kind: 'end'; readonly ending: Ending };

interface Supervision {
  readonly phase: 'working' | 'resting' | 'stopping' | 'ended';
  /** Number of crashes that led or will lead to a restart. */
  readonly restarts: number;
  /** Number of consecutive crashes of processes that ran for less than {@link STEADY_MS}. */
  readonly streak: number;
  readonly startedAt: number;
}

/** If a process ran for this many milliseconds before a crash, the crash is treated as unrelated to the previous one. */
export const STEADY_MS = 60_000;
const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 30_000;

/** Exit codes with which `run` ends normally. Any other code is a crash, including the watchdog's exit code. */
const onPurpose: ReadonlySet<number> = new Set([
  exit.done,
  exit.failed,
  exit.usage,
  exit.deadLetters,
  exit.interrupted,
  exit.terminated,
]);

/** Returns whether a restart may help after a process has ended in this way. */
export function isCrash({ code, signal }: Ending): boolean {
  // A stop signal that arrives before the process listens for signals ends the process. This is not a crash.
  if (signal !== undefined) return signal !== 'SIGINT' && signal !== 'SIGTERM';
  return !onPurpose.has(code);
}

/** Returns the initial state, in which the first worker process is being started. */
export function begin(at: number): Supervision {
  return { phase: 'working', restarts: 0, streak: 0, startedAt: at };
}

/**
 * Returns the next state of supervision after an event, and the supervisor's orders. After a crash, a new process starts
 * after a pause, which doubles from 250 ms to 30 s. There is no pause after the first crash, or after a process that ran
 * for {@link STEADY_MS}. Supervision ends if the process ends without a crash, or for any reason after a stop request.
 */
export function supervision(
  state: Supervision,
  happening: Happening,
): { readonly state: Supervision; readonly orders: readonly Order[] } {
  const stay = { state, orders: [] };
  if (state.phase === 'ended') return stay;
  if (happening.kind === 'stop') {
    const { signal } = happening;
    if (state.phase === 'resting') return end(state, { signal });
    return { state: { ...state, phase: 'stopping' }, orders: [{ kind: 'pass-on', signal }] };
  }
  if (happening.kind === 'rested') {
    if (state.phase !== 'resting') return stay;
    const { restarts } = state;
    return { state: { ...state, phase: 'working', startedAt: happening.at }, orders: [{ kind: 'start', restarts }] };
  }
  if (state.phase === 'resting') return stay;
  if (state.phase === 'stopping' || !isCrash(happening.ending)) return end(state, happening.ending);
  const before = happening.at - state.startedAt >= STEADY_MS ? 0 : state.streak;
  const milliseconds = before === 0 ? 0 : backoff(before, FIRST_REST_MS, LONGEST_REST_MS);
  const restarts = state.restarts + 1;
  return {
    state: { ...state, phase: 'resting', restarts, streak: before + 1 },
    orders: [{ kind: 'rest', milliseconds, restarts }],
  };
}

function end(state: Supervision, ending: Ending): { state: Supervision; orders: readonly Order[] } {
  return { state: { ...state, phase: 'ended' }, orders: [{ kind: 'end', ending }] };
}

export interface Crash {
  readonly pid: number;
  readonly ending: Ending;
}

export interface SuperviseOptions {
  /** Starts a worker process. `restarts`: number of earlier crashes. */
  readonly start: (restarts: number) => ChildProcess;
  readonly logger: Logger;
  /**
   * Called after a crash and before the restart, to release partitions that the crashed process still owns. If the
   * callback rejects, only the kind of the error is logged. The restart waits for at most {@link CLEARING_MS}.
   */
  readonly afterCrash?: ((crash: Crash) => Promise<void>) | undefined;
  /** Emitter of process signals. Default: this process. */
  readonly signals?: NodeJS.EventEmitter;
}

/**
 * Keeps a worker process running until it ends normally or a stop is requested; see {@link supervision} for the rules.
 * Forwards this process's signals to the worker. Returns how the last worker ended.
 */
export async function supervise({ start, logger, afterCrash, signals = process }: SuperviseOptions): Promise<Ending> {
  return new Promise((resolve) => {
    let state: Supervision = begin(performance.now());
    let worker: ChildProcess;
    let rest: NodeJS.Timeout | undefined;
    let crash: Crash | undefined;

    const hear = (happening: Parameters<typeof supervision>[1]): void => {
      const result = supervision(state, happening);
      state = result.state;
      for (const order of result.orders) carryOut(order);
    };

    const launch = (restarts: number): void => {
      worker = start(restarts);
      const { pid = 0 } = worker;
      logger.info('worker process started', { pid, restarts });
      const ended = (ending: Ending): void => {
        crash = { pid, ending };
        hear({ kind: 'ended', ending, at: performance.now() });
      };
      // The process could not be started. A retry would fail for the same reason.
      worker.once('error', () => worker.pid === undefined && ended({ code: 1 }));
      worker.once('exit', (code, signal) => ended(signal === null ? { code: code ?? 1 } : { signal }));
    };

    const carryOut = (order: Order): void => {
      if (order.kind === 'start') launch(order.restarts);
      else if (order.kind === 'pass-on') worker.kill(order.signal);
      else if (order.kind === 'rest') restartLater(order);
      else finish(order.ending);
    };

    const restartLater = ({ milliseconds, restarts }: Extract<Order, { kind: 'rest' }>): void => {
      const { pid, ending } = crash!;
      const how = ending.signal === undefined ? { exit_code: ending.code } : { signal: ending.signal };
      logger.warn('worker process crashed', { pid, ...how, restarts, again_in_ms: milliseconds });
      void cleared(crash!).then(() => {
        if (state.phase !== 'resting') return;
        rest = setTimeout(() => hear({ kind: 'rested', at: performance.now() }), milliseconds);
      });
    };

    const finish = (ending: Ending): void => {
      clearTimeout(rest);
      for (const [name, listener] of Object.entries(listeners)) signals.off(name, listener);
      resolve(ending);
    };

    const cleared = async (after: Crash): Promise<void> => {
      if (afterCrash === undefined) return;
      const late = Promise.withResolvers<void>();
      using _timer = setTimeout(late.resolve, CLEARING_MS);
      try {
        await Promise.race([afterCrash(after), late.promise]);
      } catch (error) {
        logger.warn('cannot release the partitions of the crashed process', {
          kind: error instanceof Error ? error.name : typeof error,
        });
      }
    };

    const on = (signal: StopSignal) => () => hear({ kind: 'stop', signal });
    const listeners = { SIGINT: on('SIGINT'), SIGTERM: on('SIGTERM') } as const;
    for (const [name, listener] of Object.entries(listeners)) signals.on(name, listener);
    launch(0);
  });
}

/** This process, if a supervisor started it as a worker. */
export interface Worker {
  /** Number of crashes of earlier workers under the same supervisor. */
  readonly restarts: number;
  /** Aborts when the supervisor ends, because it can then no longer stop or restart this process. */
  readonly abandoned: AbortSignal;
}

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
