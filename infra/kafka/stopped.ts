import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { finished } from '@aorta/machine';

const LOOK_EVERY_MS = 2;

/**
 * Resolves when a process that was sent SIGSTOP has stopped, or is gone: the signal takes a few milliseconds to reach each of
 * its threads, and until then a broker answers.
 */
export async function stopped(pid: number): Promise<void> {
  while (!(await states(pid)).every((state) => state.startsWith('T'))) await sleep(LOOK_EVERY_MS);
}

/** Of its threads, as `ps` writes them; where the system does not tell them apart, of the process. */
async function states(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return [(await finished('ps', ['-o', 'state=', '-p', String(pid)])).output.trim() || 'T'];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  // The name before the state is in parentheses, and may hold some.
  const texts = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => ') T'));
  return (await Promise.all(texts)).map((text) => text.slice(text.lastIndexOf(')') + 2));
}
