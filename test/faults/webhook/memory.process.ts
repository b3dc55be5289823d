import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A module that a process under test loads first: `node --expose-gc --import memory.process.ts PROGRAM`. It answers each message of
 * the parent with the number of bytes that the process retains.
 */

/** Milliseconds between two collections. V8 frees the memory of collected buffers in another thread. */
const PAUSE_MS = 200;
/** The process is idle if its event loop is busy for less than this share of a pause. */
const IDLE = 0.1;
/** Number of collections in an idle process. Two do not free every buffer. */
const COLLECTIONS = 3;
/** Most collections for an answer, if the process does not become idle. */
const MOST_COLLECTIONS = 100;

/**
 * Returns the bytes of live JavaScript objects and buffers: the least that several collections leave. Waits until the process is
 * idle, because requests that it is still processing are live, too.
 */
async function retained(): Promise<number> {
  const seen: number[] = [];
  for (let collections = 1; seen.length < COLLECTIONS; collections += 1) {
    globalThis.gc!();
    const begun = performance.eventLoopUtilization();
    await sleep(PAUSE_MS);
    const isIdle = performance.eventLoopUtilization(begun).utilization < IDLE;
    const { heapUsed, external } = process.memoryUsage();
    if (isIdle || collections > MOST_COLLECTIONS) seen.push(heapUsed + external);
  }
  return Math.min(...seen);
}

process.on('message', () => {
  void retained().then((bytes) => process.send!(bytes));
});
