import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that runs a program and holds on to its own input, which nothing is ever written to: where the process that
 * started it ends, however it ends, the input closes and the program is killed. Its first line of output is the program's
 * process id.
 */
const GUARD = `exec 3<&0
log=$1; shift
"$@" </dev/null >>"$log" 2>&1 &
pid=$!
echo $pid
(read _ <&3; kill -9 $pid 2>/dev/null) >/dev/null 2>&1 &
exec 3<&-
wait $pid`;

/** A program that does not outlive the process that started it. */
export interface Guarded {
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** Starts a program under guard; what it prints is appended to the file `log`. */
export async function startGuarded(program: string, words: readonly string[], log: string): Promise<Guarded> {
  const guard: ChildProcess = spawn('sh', ['-c', GUARD, 'guard', log, program, ...words], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve, reject) => {
    guard.once('exit', () => {
      guard.stdin?.destroy();
      resolve();
    });
    guard.once('error', reject);
  });
  const [line] = (await once(guard.stdout!.setEncoding('utf8'), 'data')) as [string];
  return { pid: Number.parseInt(line, 10), ended };
}
