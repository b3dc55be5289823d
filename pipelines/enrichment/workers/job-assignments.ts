import type { OwnedShare, Ownership, OwnershipOptions } from '@aorta/connectors';
import { whenAborted } from '@aorta/runtime';

/** The assignment of a job to this process. When its `using` block ends, the job must no longer be running. */
export interface JobAssignment extends Disposable {
  /** Aborts when the process must release the job. The process then finishes the current work and saves the job's state. */
  readonly leave: AbortSignal;
  /** Aborts when another process owns the job. This process must not save the job's state after that. */
  readonly lost: AbortSignal;
}

interface Taken {
  readonly share: OwnedShare;
  readonly leave: AbortController;
  readonly ended: Promise<void>;
}

/** Uses a consumer group to assign each job to one process at a time. */
export class JobAssignments {
  readonly #open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>;
  #ownership: Promise<Ownership> | undefined;
  #taken: Taken[] = [];
  #waiting: (() => void)[] = [];

  /** `open` is called when a job is requested for the first time. */
  constructor(open: (options: Pick<OwnershipOptions, 'onChange' | 'onRelease'>) => Promise<Ownership>) {
    this.#open = open;
  }

  /** Returns the job's assignment; undefined if another process owns it. Rejects if the process has left the consumer group. */
  async now(job: string): Promise<JobAssignment | undefined> {
    this.#ownership ??= this.#open({
      onChange: () => this.#changed(),
      onRelease: (shares) => this.#release(shares),
    });
    const share = (await this.#ownership).owned().find(({ name }) => name === job);
    // A job runs only once at a time.
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

  /** Waits until the job is assigned. Returns undefined if the signal aborts first. */
  async next(job: string, signal: AbortSignal): Promise<JobAssignment | undefined> {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => void this.#waiting.push(resolve));
      const assignment = await this.now(job);
      if (assignment !== undefined) return assignment;
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
