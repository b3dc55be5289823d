import { setTimeout as sleep } from 'node:timers/promises';

/** Default limit of a wait, in milliseconds. On a busy machine, the longest waits take a third of it. */
const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 50;

export interface InTimeOptions {
  readonly milliseconds?: number;
  /** Returns what the error says about the state after the limit has passed. */
  readonly seen?: () => string | Promise<string>;
}

/**
 * Returns the result of the work. Throws if the work takes longer than `milliseconds`. A test that waits without a limit hangs
 * until the runner ends it, and nobody learns what it waited for. `what` completes "waited … for".
 */
export async function inTime<T>(
  what: string,
  work: Promise<T>,
  { milliseconds = LIMIT_MS, seen = () => 'nothing' }: InTimeOptions = {},
): Promise<T> {
  const late = Symbol();
  const timer = Promise.withResolvers<typeof late>();
  // If the work fails after the limit, nothing awaits it.
  work.catch(() => {});
  const timeout = setTimeout(() => timer.resolve(late), milliseconds);
  try {
    const first = await Promise.race([work, timer.promise]);
    if (first !== late) return first as T;
  } finally {
    clearTimeout(timeout);
  }
  throw new Error(`waited ${milliseconds / 1000} s for ${what}; seen instead: ${await seen()}`);
}

/** Waits until `isSo` returns true. Throws like {@link inTime} if this takes too long. */
export async function untilSo(what: string, isSo: () => boolean | Promise<boolean>, options: InTimeOptions = {}): Promise<void> {
  let ended = false;
  const looking = async (): Promise<void> => {
    while (!(ended || (await isSo()))) await sleep(LOOK_EVERY_MS);
  };
  try {
    await inTime(what, looking(), options);
  } finally {
    ended = true;
  }
}
