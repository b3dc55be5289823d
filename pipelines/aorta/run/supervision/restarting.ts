import { exit } from '../../cli/exit.ts';

/** How a worker process ended: with an exit code or by a signal. */
export type Ending =
  | { readonly code: number; readonly signal?: undefined }
  | { readonly signal: string; readonly code?: undefined };

/** An event during supervision. Times are milliseconds of a monotonic clock. */
export type Happening =
  | { readonly kind: 'ended'; readonly ending: Ending; readonly at: number }
  | { readonly kind: 'rested'; readonly at: number }
  | { readonly kind: 'stop'; readonly signal: StopSignal };

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** An action for the supervisor to carry out. */
export type Order =
  | { readonly kind: 'start'; readonly restarts: number }
  | { readonly kind: 'rest'; readonly milliseconds: number; readonly restarts: number }
  | { readonly kind: 'pass-on'; readonly signal: StopSignal }
  /** Supervision is over. The supervisor exits in the same way as the worker process. */
  | { readonly kind: 'end'; readonly ending: Ending };

export interface Supervision {
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
  const milliseconds = before === 0 ? 0 : Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (before - 1));
  const restarts = state.restarts + 1;
  return {
    state: { ...state, phase: 'resting', restarts, streak: before + 1 },
    orders: [{ kind: 'rest', milliseconds, restarts }],
  };
}

function end(state: Supervision, ending: Ending): { state: Supervision; orders: readonly Order[] } {
  return { state: { ...state, phase: 'ended' }, orders: [{ kind: 'end', ending }] };
}
