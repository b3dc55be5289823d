import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process does when it is asked to, by name. */
export type Works = Readonly<Record<string, (options: never) => Promise<unknown>>>;

interface Question {
  readonly work: string;
  readonly options: unknown;
}

type Answer = { readonly value: unknown } | { readonly failure: string };

/** For the process: does what it is asked, one thing after another, and ends with the one that started it. */
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

/**
 * A process that measures by itself, so that nothing of what others are told apart by is in its memory: no mended library,
 * no code that is warm for something else.
 */
export class Asked<W extends Works> {
  readonly #process: ChildProcess;

  constructor(program: string, execArgv: readonly string[] = []) {
    this.#process = fork(program, { execArgv: [...execArgv], env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1' } });
  }

  /** Rejects where the work fails, or the process ends. One question at a time. */
  async ask<N extends keyof W & string>(work: N, options: Parameters<W[N]>[0]): Promise<Awaited<ReturnType<W[N]>>> {
    this.#process.send({ work, options });
    const ended = new AbortController();
    const gone = once(this.#process, 'exit', { signal: ended.signal }).then(() => ({ failure: 'its process ended' }));
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
