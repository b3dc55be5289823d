import { within } from '@aorta/runtime';

/** Before something is asked again that was not so a moment ago, in milliseconds. */
export const SETTLE_MS = 200;

/** Resolves when the work has ended, well or not, or after so many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await within(milliseconds, work).catch(() => {});
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
