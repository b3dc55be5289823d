import type { Connection, Connections } from './connections.ts';
import type { HubAccess } from './hub-access.ts';
import { type Link, type LinkListener, openLink } from './link.ts';

/** The listener hears the events of the open link directly: a link that was closed tells nothing. */
export interface PartitionLinkOptions extends Omit<LinkListener, 'onClosed'> {
  readonly partitionId: string;
  readonly epoch: number;
  readonly connections: Connections;
  readonly access: HubAccess;
  /** The sequence number that a link has to begin with. */
  readonly next: () => number;
  /** The link is given up, and opened again after a pause. */
  readonly onReopening: () => void;
  /** The link is opened again now. */
  readonly onOpening: () => void;
  /** The hub refuses this source: no link is opened before it admits it again. */
  readonly onRefused: () => void;
}

/** Pauses before an opening, by the number of those in vain before it, in milliseconds. */
const PAUSES = [0, 100, 250, 500, 1000] as const;

/** The link of one claimed partition, opened again whenever it closes, fails or goes silent. */
export class PartitionLink {
  readonly #options: PartitionLinkOptions;
  #link: Link | undefined;
  #connection: Connection | undefined;
  /** Openings in vain since something was last heard. */
  #attempts = 0;
  #pausing: NodeJS.Timeout | undefined;
  #suspended = false;
  #ended = false;

  constructor(options: PartitionLinkOptions) {
    this.#options = options;
  }

  /** The link that is open. */
  get current(): Link | undefined {
    return this.#link;
  }

  /** Opens a link, on another connection than `broken`. */
  open(broken?: Connection): void {
    if (this.#ended) return;
    const { connections, partitionId, epoch, next, onEvents, onTrouble } = this.#options;
    this.#connection = connections.enter(broken);
    const from = { next: next(), epoch };
    this.#link = openLink(this.#connection.client, partitionId, from, {
      onEvents,
      onTrouble,
      onClosed: () => this.reopen('same connection'),
    });
  }

  /** Closes the link, and opens another one after a pause, or when the hub admits this source again. */
  reopen(on: 'same connection' | 'another connection'): void {
    if (this.#ended) return;
    const broken = on === 'another connection' ? this.#connection : undefined;
    this.#close();
    if (this.#options.access.refused) {
      this.#suspended = true;
      this.#options.onRefused();
      return;
    }
    this.#options.onReopening();
    this.#later(() => {
      this.#options.onOpening();
      this.open(broken);
    });
  }

  /** Closes the link, and begins something else after a pause. */
  giveUp(begin: () => void): void {
    this.#close();
    this.#later(begin);
  }

  /** Whether it waits for the hub to admit this source; opens the link again as soon as it does. */
  isSuspended(): boolean {
    if (!this.#suspended) return false;
    if (this.#options.access.refused) return true;
    this.#suspended = false;
    this.#attempts = 0;
    this.#options.onOpening();
    this.open();
    return false;
  }

  /** The hub serves the link: the next opening is not delayed. */
  heard(): void {
    this.#attempts = 0;
  }

  /** The next opening waits for the longest time. */
  rest(): void {
    this.#attempts = PAUSES.length - 1;
  }

  /** Counts something else that was tried in vain; gives the milliseconds to wait before the next try. */
  failed(): number {
    this.#attempts += 1;
    return this.#pauseMs();
  }

  /** Closes the link for good. */
  end(): void {
    this.#ended = true;
    this.#close();
  }

  #close(): void {
    clearTimeout(this.#pausing);
    this.#link?.close();
    this.#link = undefined;
    if (this.#connection !== undefined) this.#options.connections.leave(this.#connection);
    this.#connection = undefined;
  }

  #later(work: () => void): void {
    this.#pausing = setTimeout(work, this.#pauseMs());
    this.#attempts += 1;
  }

  #pauseMs(): number {
    return PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]!;
  }
}
