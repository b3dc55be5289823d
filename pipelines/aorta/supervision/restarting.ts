import { exit } from '../exit.ts';

/** How a working process ended: by itself, with a code, or by a signal. */
export type Ending =
  | { readonly code: number; readonly signal?: undefined }
  | { readonly signal: string; readonly code?: undefined };

/** What the supervisor hears. Times are milliseconds of a clock that does not go back. */
export type Happening =
  | { readonly kind: 'ended'; readonly ending: Ending; readonly at: number }
  | { readonly kind: 'rested'; readonly at: number }
  | { readonly kind: 'stop'; readonly signal: StopSignal };

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** What the supervisor has to do. */
export type Order =
  | { readonly kind: 'start'; readonly restarts: number }
  | { readonly kind: 'rest'; readonly milliseconds: number; readonly restarts: number }
  | { readonly kind: 'pass-on'; readonly signal: StopSignal }
  /** Nothing more is to be done: end as the working process did. */
  | { readonly kind: 'end'; readonly ending: Ending };

/** Where supervision is. */
export interface Supervision {
  readonly phase: 'working' | 'resting' | 'stopping' | 'ended';
  /** Crashes after which another one was or will be started. */
  readonly restarts: number;
  /** Crashes in a row of processes that did not live long. */
  readonly streak: number;
  readonly startedAt: number;
}

/** A process that lived so long was well: what happens to it is nothing to do with the crash before. */
export const STEADY_MS = 60_000;
const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 30_000;

/** Codes with which `run` ends on purpose. Another one is a crash, that of the watchdog among them. */
const onPurpose: ReadonlySet<number> = new Set([
  exit.done,
  exit.failed,
  exit.usage,
  exit.deadLetters,
  exit.interrupted,
  exit.terminated,
]);

/** Whether a process ended in a way after which another one may do better. */
export function isCrash({ code, signal }: Ending): boolean {
  // Asked to end before it listened: that is no crash either.
  if (signal !== undefined) return signal !== 'SIGINT' && signal !== 'SIGTERM';
  return !onPurpose.has(code);
}

/** Supervision of a working process that is being started. */
export function begin(at: number): Supervision {
  return { phase: 'working', restarts: 0, streak: 0, startedAt: at };
}

/**
 * The rules of supervision. A crash is followed by another process: at once after a steady life, else after a rest that
 * doubles with every crash in a row, from a quarter of a second to half a minute. Every other end is the end, and so is any end after
 * somebody asked to stop.
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
