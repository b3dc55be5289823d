import type { FetchingJob } from '../fetching/fetched.ts';
import { type FollowingOptions, followHistoricalPulls } from './following.ts';

/**
 * The tracker as a job like those that fetch. It appends what it hears and finds by itself, so it hands nothing over; what
 * has failed, its errors say. `once`: it ends when everything was heard, and whoever is due was asked for.
 */
export async function openHistoricalPulls({
  once,
  ...options
}: FollowingOptions & { readonly once: boolean }): Promise<FetchingJob> {
  const following = await followHistoricalPulls(options);
  let running: Promise<void> = Promise.resolve();
  return {
    name: PULLS_JOB,
    // biome-ignore lint/correctness/useYield: nothing is handed over
    async *batches(signal) {
      running = once ? following.once(signal) : following.run(signal);
      await running;
    },
    commit: async () => {},
    close: async (lost) => {
      // A stop does not wait for what is under way: it is waited for here, before its log is closed.
      await running.catch(() => {});
      await following.close(lost);
    },
  };
}

/** Name of the job, and of its share of the work. */
export const PULLS_JOB = 'historical-pulls';
