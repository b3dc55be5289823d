import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program until it exits. Returns its exit code and output. Rejects if the program cannot be started. */
export function finished(
  program: string,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/**
 * Returns the output line that best explains why a program failed. The first choice is the line after Kafka's message
 * that it is exiting. The next choices are the first line with an exception, the first line with `ERROR`, and the last line.
 */
export function reason(output: string): string {
  return best(output).replace(/\.$/, '');
}

function best(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => line.includes('Exiting Kafka due to fatal exception'));
  if (end >= 0 && lines[end + 1] !== undefined) return lines[end + 1]!;
  const found = [/^(Caused by: |Exception in thread "\S+" )?[\w.$]+(Exception|Error): /, /\bERROR\b/].map((kind) =>
    lines.find((line) => kind.test(line)),
  );
  return found.find((line) => line !== undefined) ?? lines.at(-1) ?? 'it printed nothing';
}

/** Thrown if a local server cannot run on this machine. `problem` is the reason, and `hint` says what the user can do. */
export class ServerProblem extends Error {
  readonly problem: string;
  readonly hint: string;

  constructor(problem: string, hint: string) {
    super(`${problem}. ${hint}`);
    this.name = 'ServerProblem';
    this.problem = problem;
    this.hint = hint;
  }
}

export class PortTaken extends ServerProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use`, 'Choose a different port.');
    this.port = port;
  }
}

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

interface GuardOptions {
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
