import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { finished } from '@aorta/machine';

const LOOK_EVERY_MS = 2;

/**
 * Resolves when a process that received SIGSTOP has stopped or no longer exists. The signal takes a few milliseconds to
 * reach all threads, and a broker still answers during this time.
 */
export async function stopped(pid: number): Promise<void> {
  while (!(await states(pid)).every((state) => state.startsWith('T'))) await sleep(LOOK_EVERY_MS);
}

/**
 * Returns the state of each thread of a process, in the letters that `ps` uses. On systems other than Linux, returns only
 * the state of the process.
 */
async function states(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return [(await finished('ps', ['-o', 'state=', '-p', String(pid)])).output.trim() || 'T'];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  // The state follows the thread's name, which is in parentheses and may itself contain parentheses.
  const texts = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => ') T'));
  return (await Promise.all(texts)).map((text) => text.slice(text.lastIndexOf(')') + 2));
}
