import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from '@aorta/machine';
import { brokerProblem } from './problem.ts';

const FILE = 'broker.pid';

/** Writes the broker's process id to its folder. */
export async function hold(root: string, pid: number): Promise<void> {
  await writeFile(join(root, FILE), `${pid}\n`);
}

/**
 * Rejects with {@link ServerProblem} if a broker runs in the folder. Kafka has its own lock, but a second broker would
 * write to the first broker's metadata log before it checks that lock.
 */
export async function refuseHeld(root: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(root, FILE), 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  // By now, the process id may belong to a different program.
  const { output } = await finished('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ output: '' }));
  if (output.includes(root))
    throw brokerProblem(`A broker already runs in the folder ${root}, as process ${pid}`, 'Stop it, or use a different folder.');
}
