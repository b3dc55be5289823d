import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell script that runs a program and kills it when the parent process ends. The script reads from standard input, to
 * which the parent never writes. When the parent ends for any reason, standard input closes. The script then kills the
 * program and removes the folder `needless`. The first line of the script's output is the pid of the program.
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

/** A running program that is killed when the process that started it ends. */
export interface Guarded {
  readonly pid: number;
  readonly running: boolean;
  readonly ended: Promise<void>;
  /** Sends a signal. Does nothing if the program has ended. */
  signal(signal: NodeJS.Signals): void;
}

export interface GuardOptions {
  /** The output of the program is appended to this file. */
  readonly log: string;
  /** A folder that is removed if this process ends before the program does. */
  readonly needless?: string;
}

export async function startGuarded(program: string, words: readonly string[], options: GuardOptions): Promise<Guarded> {
  const { log, needless = '' } = options;
  // Use a separate session, so that Ctrl-C reaches only this process, which then shuts the program down cleanly.
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
      // The program has already ended.
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
