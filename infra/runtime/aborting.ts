import { setTimeout as sleep } from 'node:timers/promises';

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
