import type { OwnedShare, Ownership, OwnershipOptions } from '@aorta/connectors';
import { whenAborted } from '@aorta/runtime';

/** The time in which a job is this worker's. At the end of a `using` block nothing of the job is under way any more. */
export interface Turn extends Disposable {
  /** Aborts when the job is to be given back: what is under way is ended, and written down. */
  readonly leave: AbortSignal;
  /** Aborts when it is another worker's, whatever is under way: nothing of it may be written down. */
  readonly lost: AbortSignal;
}

interface Taken {
  readonly share: OwnedShare;
  readonly leave: AbortController;
  readonly ended: Promise<void>;
}

/** Jobs that one worker of all does at a time: each is done by the worker that has its share. */
export class Turns {
  readonly #open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>;
  #ownership: Promise<Ownership> | undefined;
  #taken: Taken[] = [];
  #waiting: (() => void)[] = [];

  /** The ownership is opened when somebody asks for a turn. */
  constructor(open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>) {
    this.#open = open;
  }

  /** The turn of a job, if it is this worker's now. Rejects where taking part has ended. */
  async now(job: string): Promise<Turn | undefined> {
    this.#ownership ??= this.#open({
      onChange: () => this.#changed(),
      onRelease: (shares) => this.#release(shares),
    });
    const share = (await this.#ownership).owned().find(({ name }) => name === job);
    // What was given back, or is being done, is taken once.
    if (share === undefined || this.#taken.some((one) => one.share === share)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const taken = { share, leave: new AbortController(), ended: promise };
    this.#taken.push(taken);
    return {
      leave: AbortSignal.any([taken.leave.signal, share.lost]),
      lost: share.lost,
      [Symbol.dispose]: () => {
        this.#taken = this.#taken.filter((one) => one !== taken);
        resolve();
      },
    };
  }

  /** Waits for the turn of a job; undefined where the signal came before it. */
  async next(job: string, signal: AbortSignal): Promise<Turn | undefined> {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => void this.#waiting.push(resolve));
      const turn = await this.now(job);
      if (turn !== undefined) return turn;
      await Promise.race([changed, whenAborted(signal)]);
    }
    return undefined;
  }

  /** Gives everything back. Never rejects. */
  async close(): Promise<void> {
    const ownership = await this.#ownership?.catch(() => undefined);
    await ownership?.close();
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #release(shares: readonly OwnedShare[]): Promise<void> {
    const leaving = this.#taken.filter(({ share }) => shares.includes(share));
    for (const { leave } of leaving) leave.abort();
    await Promise.all(leaving.map(({ ended }) => ended));
  }
}
