import { setTimeout as sleep } from 'node:timers/promises';

/** Thrown by {@link within} if the work is not done in time. The work may still run, but its result is discarded. */
export class DeadlinePassed extends Error {
  constructor() {
    super('the operation did not finish in time');
    this.name = 'TimeoutError';
  }
}

/** Returns the result of the work. Throws {@link DeadlinePassed} if the work takes longer than the given milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed()), Math.max(0, milliseconds));
  });
  // If the work fails after the deadline, nothing awaits it. Without this handler, Node would report an unhandled rejection.
  work.catch(() => {});
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with undefined when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Waits for the given time, or until the signal aborts. Never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
