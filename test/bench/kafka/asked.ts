import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The functions that a process runs on request, by name. */
export type Works = Readonly<Record<string, (options: never) => Promise<unknown>>>;

interface Question {
  readonly work: string;
  readonly options: unknown;
}

type Answer = { readonly value: unknown } | { readonly failure: string };

/** Called in the child process. Runs each function that the parent requests, and exits when the parent does. */
export function answer(works: Works): void {
  process.on('message', async ({ work, options }: Question) => {
    const answered = await works[work]!(options as never).then(
      (value): Answer => ({ value }),
      (error: unknown): Answer => ({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    process.send!(answered);
  });
  process.once('disconnect', () => process.exit());
}

/** A child process for measurements, so that patched libraries and compiled code in the parent process do not affect them. */
export class Asked<W extends Works> {
  readonly #process: ChildProcess;

  constructor(program: string, execArgv: readonly string[] = []) {
    this.#process = fork(program, { execArgv: [...execArgv], env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1' } });
  }

  /** Runs a function in the process. Rejects if the function fails or the process ends. Allows one call at a time. */
  async ask<N extends keyof W & string>(work: N, options: Parameters<W[N]>[0]): Promise<Awaited<ReturnType<W[N]>>> {
    this.#process.send({ work, options });
    const ended = new AbortController();
    const gone = once(this.#process, 'exit', { signal: ended.signal }).then(() => ({ failure: 'the process ended' }));
    gone.catch(() => {});
    const answered = await Promise.race([once(this.#process, 'message').then(([message]) => message as Answer), gone]);
    ended.abort();
    if ('failure' in answered) throw new Error(`${work}: ${answered.failure}`);
    return answered.value as Awaited<ReturnType<W[N]>>;
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}
