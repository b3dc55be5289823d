import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A process of ours that talks in lines. */
export interface TalkingProcess {
  readonly child: ChildProcess;
  /** The next line it says; undefined when it has ended. */
  line(): Promise<string | undefined>;
  say(line: string): void;
  /** kill -9; returns when it has ended. */
  kill(): Promise<void>;
}

/** Starts a program; it is killed at the end of the test at the latest. */
export function startTalking(command: string, args: readonly string[]): TalkingProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  // A process that is gone does not listen.
  child.stdin!.on('error', () => {});
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    child,
    line: async () => {
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
    say: (line) => void child.stdin!.write(`${line}\n`),
    kill,
  };
}
