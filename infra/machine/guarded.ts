import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that runs a program and holds on to its own input, which nothing is ever written to: where the process that
 * started it ends, however it ends, the input closes and the program is killed; what nobody needs then is removed. Its first
 * line of output is the program's process id.
 */
const GUARD = `exec 3<&0
log=$1; needless=$2; shift 2
"$@" </dev/null >>"$log" 2>&1 3<&- &
pid=$!
echo $pid
(read _ <&3; trap '' TERM; kill -9 $pid) >/dev/null 2>&1 &
reader=$!
exec 3<&- >/dev/null
wait $pid
kill $reader
wait $reader && [ -n "$needless" ] && rm -rf "$needless"`;

/** A program that does not outlive the process that started it. */
export interface Guarded {
  readonly pid: number;
  readonly running: boolean;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Does nothing where it has ended. */
  signal(signal: NodeJS.Signals): void;
}

export interface GuardOptions {
  /** What the program prints is appended to this file. */
  readonly log: string;
  /** A folder that is removed where the program outlives the process that started it. */
  readonly needless?: string;
}

/** Starts a program under guard. */
export async function startGuarded(program: string, words: readonly string[], options: GuardOptions): Promise<Guarded> {
  const { log, needless = '' } = options;
  // A session of its own: Ctrl-C in a terminal is for us, and we end the program in order then.
  const guard: ChildProcess = spawn('sh', ['-c', GUARD, 'guard', log, needless, program, ...words], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  let running = true;
  const ended = once(guard, 'exit').then(() => {
    running = false;
    guard.stdin?.destroy();
  });
  const [line] = (await once(guard.stdout!.setEncoding('utf8'), 'data')) as [string];
  const pid = Number.parseInt(line, 10);
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (running) process.kill(pid, name);
    } catch {
      // Ended a moment ago.
    }
  };
  return {
    pid,
    get running() {
      return running;
    },
    ended,
    signal,
  };
}
