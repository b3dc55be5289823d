import type { OwnedShare, Ownership, OwnershipOptions } from '@aorta/connectors';
import { whenAborted } from '@aorta/runtime';

/** An assignment of a job to this process. When its `using` block ends, no work of the job is running. */
export interface Turn extends Disposable {
  /** Aborts when the process must release the job: it ends the current work and saves its state. */
  readonly leave: AbortSignal;
  /** Aborts when another process owns the job: this one may not save state any more. */
  readonly lost: AbortSignal;
}

interface Taken {
  readonly share: OwnedShare;
  readonly leave: AbortController;
  readonly ended: Promise<void>;
}

/** Jobs that run in one process at a time, as the consumer group assigns them. */
export class Turns {
  readonly #open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>;
  #ownership: Promise<Ownership> | undefined;
  #taken: Taken[] = [];
  #waiting: (() => void)[] = [];

  /** Opens the ownership at the first request for a turn. */
  constructor(open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>) {
    this.#open = open;
  }

  /** Returns the turn of a job if it is assigned to this process now. Rejects if the membership has ended. */
  async now(job: string): Promise<Turn | undefined> {
    this.#ownership ??= this.#open({
      onChange: () => this.#changed(),
      onRelease: (shares) => this.#release(shares),
    });
    const share = (await this.#ownership).owned().find(({ name }) => name === job);
    // An assignment gives one turn only.
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

  /** Waits for the turn of a job; undefined if the signal aborts first. */
  async next(job: string, signal: AbortSignal): Promise<Turn | undefined> {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => void this.#waiting.push(resolve));
      const turn = await this.now(job);
      if (turn !== undefined) return turn;
      await Promise.race([changed, whenAborted(signal)]);
    }
    return undefined;
  }

  /** Releases all assignments. Never rejects. */
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
