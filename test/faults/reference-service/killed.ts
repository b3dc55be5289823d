import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

export function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/**
 * Kills a process with SIGKILL, and waits until it has ended. If it leads a process group, kills the whole group. Fails if the
 * process was no longer alive.
 */
export async function killed(name: string, child: ChildProcess, leadsGroup = false): Promise<void> {
  expect(isAlive(child), `${name} is alive`).toBe(true);
  const exited = once(child, 'exit');
  process.kill(leadsGroup ? -child.pid! : child.pid!, 'SIGKILL');
  expect(await exited, name).toEqual([null, 'SIGKILL']);
}
