import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A child process that communicates line by line over standard input and output. */
export interface TalkingProcess {
  readonly child: ChildProcess;
  /** Returns the next line that the process prints; undefined when the process has ended. */
  line(): Promise<string | undefined>;
  say(line: string): void;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
}

/** Starts a program, and kills it at the end of the test if it is still running. */
export function startTalking(command: string, args: readonly string[]): TalkingProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  // Ignores write errors after the process has ended.
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
