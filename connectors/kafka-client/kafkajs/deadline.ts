import { within } from '@aorta/runtime';

/** Milliseconds to wait before repeating a query about a state that is about to change. */
export const SETTLE_MS = 200;

/** Waits until `work` succeeds or fails, but no longer than `milliseconds`. Never rejects. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await within(milliseconds, work).catch(() => {});
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
