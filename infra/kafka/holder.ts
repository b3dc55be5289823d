import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from '@aorta/machine';
import { brokerProblem } from './problem.ts';

const FILE = 'broker.pid';

/** Notes in a broker's folder which process it is. */
export async function hold(root: string, pid: number): Promise<void> {
  await writeFile(join(root, FILE), `${pid}\n`);
}

/**
 * Rejects where a broker runs in the folder. Kafka has a lock of its own, and looks at it after it has written into the
 * other one's log of metadata.
 */
export async function refuseHeld(root: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(root, FILE), 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  // The number may be another program's by now.
  const { output } = await finished('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ output: '' }));
  if (output.includes(root))
    throw brokerProblem(
      `A broker runs in the folder ${root} already, as process ${pid}`,
      'End that one, or give another folder.',
    );
}
