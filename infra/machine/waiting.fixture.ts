import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';

/** The limit of every wait in a test, in milliseconds. The limits of the test runner are longer. */
const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;

/**
 * Returns the result of the work. Throws if the work takes longer than the limit. A test that waits without a limit hangs until
 * the runner ends it, and its failure does not say what it waited for. `what` completes "waited for". `seen` describes the state
 * at the limit.
 */
export async function inTime<T>(what: string, work: Promise<T>, seen: () => unknown = () => 'nothing'): Promise<T> {
  const late = Symbol();
  const limit = Promise.withResolvers<typeof late>();
  // If the work fails after the limit, nothing awaits it.
  work.catch(() => {});
  const timer = setTimeout(() => limit.resolve(late), LIMIT_MS);
  try {
    const first = await Promise.race([work, limit.promise]);
    if (first !== late) return first as T;
  } finally {
    clearTimeout(timer);
  }
  const state = await seen();
  throw new Error(`waited ${LIMIT_MS / 1000} s for ${what}; seen last: ${typeof state === 'string' ? state : inspect(state)}`);
}

/**
 * Calls `look` until its result equals `wanted`, or until `wanted` returns true for it. Without `wanted`, the result must be
 * truthy. Returns the result. Throws what `look` throws. After the limit, throws like {@link inTime}, with the last result or with
 * the text that `seen` returns. It says how many looks there were if the last one has not ended, because that one may hang.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  wanted: NoInfer<T> | ((result: T) => boolean) = Boolean,
  seen?: () => unknown,
): Promise<T> {
  const isWanted = typeof wanted === 'function' ? (wanted as (result: T) => boolean) : equals(wanted);
  let last: unknown = 'nothing';
  let ended = false;
  const looks = { begun: 0, ended: 0 };
  const looking = async (): Promise<T> => {
    for (;;) {
      looks.begun += 1;
      const result = await look();
      looks.ended += 1;
      last = result;
      if (isWanted(result) || ended) return result;
      await sleep(LOOK_EVERY_MS);
    }
  };
  try {
    return await inTime(what, looking(), async () => {
      const state = await (seen ?? (() => inspect(last)))();
      if (looks.ended === looks.begun) return state;
      return `${typeof state === 'string' ? state : inspect(state)}; look ${looks.begun} has not ended`;
    });
  } finally {
    ended = true;
  }
}

const equals =
  <T>(wanted: T) =>
  (result: T): boolean =>
    isDeepStrictEqual(result, wanted);
