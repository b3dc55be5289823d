import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that runs a program and holds on to its own input, which nothing is ever written to: where the process that
 * started it ends, however it ends, the input closes and the program is killed. Its first line of output is the program's
 * process id.
 */
const GUARD = `exec 3<&0
log=$1; shift
"$@" </dev/null >>"$log" 2>&1 3<&- &
pid=$!
echo $pid
(read _ <&3; kill -9 $pid) >/dev/null 2>&1 &
reader=$!
exec 3<&- >/dev/null
wait $pid
kill $reader`;

/** A program that does not outlive the process that started it. */
export interface Guarded {
  readonly pid: number;
  readonly running: boolean;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Does nothing where it has ended. */
  signal(signal: NodeJS.Signals): void;
}

/** Starts a program under guard; what it prints is appended to the file `log`. */
export async function startGuarded(program: string, words: readonly string[], log: string): Promise<Guarded> {
  // A session of its own: Ctrl-C in a terminal is for us, and we end the program in order then.
  const guard: ChildProcess = spawn('sh', ['-c', GUARD, 'guard', log, program, ...words], {
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
