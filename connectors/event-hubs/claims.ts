import { errorFields, type Logger, within } from '@aorta/runtime';
import { type Checkpoints, type PartitionClaim, releaseClaims, STORE_MS } from './checkpoints/checkpoints.ts';
import { partitionName } from './delivery-of-event.ts';
import { conditionOf } from './hub-error.ts';

export interface PartitionOfHub {
  readonly hub: string;
  readonly partitionId: string;
}

export interface ClaimsOptions {
  readonly store: Checkpoints;
  readonly host: string;
  readonly group: string;
  /** Name of this worker. No other worker may use it at the same time. */
  readonly worker: string;
  readonly intervalMs: number;
  readonly expiryMs: number;
  /** Returns the partitions of all hubs. Called in every round. */
  readonly partitions: () => readonly PartitionOfHub[];
  /**
   * Called when this worker has claimed a partition. Every new claim of a partition has a higher epoch than all earlier
   * claims of that partition, by any worker.
   */
  readonly onClaimed: (partition: PartitionOfHub, epoch: number) => void;
  /** Called when another worker has claimed a partition that this worker owned. */
  readonly onLost: (partition: PartitionOfHub) => void;
  readonly logger: Logger;
  /** Reports that this worker is waiting. The returned function reports that the wait is over. */
  readonly waits?: (reason: string) => () => void;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
}

/** A partition's claim in the checkpoint store. */
export interface Holding {
  readonly partition: string;
  /** Empty if no worker has claimed the partition. */
  readonly owner: string;
  readonly expired: boolean;
}

/**
 * Returns the partitions that `worker` should claim in addition to its own. The worker claims free partitions up to its
 * fair share. If none are free, it takes partitions from the workers that have the most, as long as those have at least
 * two partitions more than `worker`. If all workers follow this rule, their partition counts soon differ by at most
 * one, and then no more partitions move.
 */
export function partitionsToClaim(worker: string, partitions: readonly string[], holdings: readonly Holding[]): string[] {
  const owners = new Map(holdings.filter(({ expired }) => !expired).map(({ partition, owner }) => [partition, owner]));
  const held = new Map<string, string[]>([[worker, []]]);
  const free: string[] = [];
  for (const partition of partitions) {
    const owner = owners.get(partition) ?? '';
    if (owner === '') free.push(partition);
    else if (held.has(owner)) held.get(owner)!.push(partition);
    else held.set(owner, [partition]);
  }
  const mine = held.get(worker)!.length;
  const share = Math.ceil(partitions.length / held.size);
  const claims = free.slice(0, Math.max(0, share - mine));
  // As long as there are free partitions, other workers may be about to claim some of them. Do not take partitions from
  // these workers yet.
  if (free.length > claims.length || claims.length > 0) return claims;
  const others = [...held].filter(([owner]) => owner !== worker).map(([, theirs]) => [...theirs]);
  for (;;) {
    const fullest = others.reduce<string[]>((most, theirs) => (theirs.length > most.length ? theirs : most), []);
    if (fullest.length < mine + claims.length + 2) return claims;
    claims.push(fullest.pop()!);
  }
}

/** A claim of one partition, as read from the store. */
interface SeenClaim {
  readonly partition: string;
  readonly owner: string;
  /** Changes with each renewal. */
  readonly mark: string;
}

/**
 * Detects expired workers from what this process has observed. A worker is alive while any of its claims changes. A
 * worker renews only one claim per hub, since every renewal is a write request. The store's timestamp of a claim is not
 * used, because it comes from another clock: a wrong clock would free the claims of workers that are alive.
 */
export class Expiry {
  readonly #expiryMs: number;
  readonly #seen = new Map<string, { readonly mark: string; readonly since: number }>();

  constructor(expiryMs: number) {
    this.#expiryMs = expiryMs;
  }

  /** Returns the workers that have expired at `now` (monotonic clock), given all claims of one hub. */
  expired(claims: readonly SeenClaim[], now: number): ReadonlySet<string> {
    const changedAt = new Map<string, number>();
    for (const { partition, owner, mark } of claims) {
      const seen = this.#seen.get(partition);
      const since = seen?.mark === mark ? seen.since : now;
      if (since === now) this.#seen.set(partition, { mark, since });
      changedAt.set(owner, Math.max(since, changedAt.get(owner) ?? since));
    }
    return new Set([...changedAt].filter(([, at]) => now - at >= this.#expiryMs).map(([owner]) => owner));
  }
}

interface Held {
  readonly partition: PartitionOfHub;
  renewedAt: number;
}

/**
 * Maintains the claims of one worker to the partitions of a source. Each round reads all claims, claims free
 * partitions, and takes partitions from workers that own too many. It also renews one of this worker's claims in each
 * hub when a renewal is due. If the store fails, the round ends, and the next round tries again. While the store is
 * unavailable, all workers keep their partitions.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #clock: () => number;
  readonly #held = new Map<string, Held>();
  readonly #expiry: Expiry;
  #soon: (() => void) | undefined;
  /** Set while the store is unavailable. */
  #failing: { readonly ended: () => void } | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#expiry = new Expiry(options.expiryMs);
  }

  /** Runs rounds until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(signal);
      await this.#pause(signal);
    }
  }

  /** Starts the next round at once. Called when another worker may have taken a partition. */
  lookSoon(): void {
    this.#soon?.();
  }

  /** Runs one round. Never rejects. */
  async look(signal?: AbortSignal): Promise<void> {
    try {
      const { store, host, group, partitions, worker, expiryMs } = this.#options;
      const all = partitions();
      const hubs = [...new Set(all.map(({ hub }) => hub))];
      const lists = await Promise.all(hubs.map((hub) => within(STORE_MS, store.listOwnership(host, hub, group))));
      const now = this.#clock();
      const records = new Map(
        lists.flat().map((record) => [partitionName(record.eventHubName, record.partitionId), record] as const),
      );
      this.#letGo(records);
      const holdings = lists.flatMap((list) => this.#holdings(list, now));
      const named = new Map(all.map((partition) => [partitionName(partition.hub, partition.partitionId), partition]));
      const wanted = new Set(partitionsToClaim(worker, [...named.keys()], holdings));
      // Claims that a previous process made under this worker's name.
      for (const [name, record] of records) if (record.ownerId === worker && !this.#held.has(name)) wanted.add(name);
      for (const hub of hubs) for (const name of this.#toRenew(hub, now - expiryMs / 3)) wanted.add(name);
      if (signal?.aborted !== true) await this.#claim([...wanted], named, records, now);
      if (this.#failing !== undefined) this.#options.logger.info('claims can be read again', {});
      this.#failing?.ended();
      this.#failing = undefined;
    } catch (error) {
      const { logger, waits = () => () => {} } = this.#options;
      if (this.#failing === undefined)
        logger.warn('claims cannot be read', { condition: conditionOf(error), ...errorFields(error) });
      this.#failing ??= { ended: waits('the checkpoints cannot be reached') };
    }
  }

  /** Releases all claims, so that other workers need not wait until the claims expire. Never rejects. */
  async release(): Promise<void> {
    const { store, host, group, worker, logger } = this.#options;
    const hubs = new Set([...this.#held.values()].map(({ partition }) => partition.hub));
    this.#held.clear();
    this.#failing?.ended();
    for (const hub of hubs) {
      const place = { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group };
      await within(STORE_MS, releaseClaims(store, place, worker)).catch((error: unknown) =>
        logger.warn('claims not released', { hub, condition: conditionOf(error) }),
      );
    }
  }

  #holdings(claims: readonly PartitionClaim[], now: number): Holding[] {
    const seen = claims.map(({ eventHubName, partitionId, ownerId, etag }) => ({
      partition: partitionName(eventHubName, partitionId),
      owner: ownerId,
      mark: etag ?? '',
    }));
    const expired = this.#expiry.expired(seen, now);
    return seen.map(({ partition, owner }) => ({ partition, owner, expired: expired.has(owner) }));
  }

  /**
   * Returns the claim to renew in the hub: the one that was renewed longest ago. Returns an empty list if the worker has
   * renewed any claim in the hub since `due`, because one recent renewal per hub shows that the worker is alive.
   */
  #toRenew(hub: string, due: number): string[] {
    const held = [...this.#held].filter(([, { partition }]) => partition.hub === hub);
    if (held.length === 0 || held.some(([, { renewedAt }]) => renewedAt > due)) return [];
    const [name] = held.reduce((oldest, one) => (one[1].renewedAt < oldest[1].renewedAt ? one : oldest));
    return [name];
  }

  #letGo(records: ReadonlyMap<string, PartitionClaim>): void {
    for (const [name, held] of this.#held) {
      if (records.get(name)?.ownerId === this.#options.worker) continue;
      this.#held.delete(name);
      this.#options.onLost(held.partition);
    }
  }

  async #claim(
    names: readonly string[],
    partitions: ReadonlyMap<string, PartitionOfHub>,
    records: ReadonlyMap<string, PartitionClaim>,
    now: number,
  ): Promise<void> {
    const { store, host, group, worker, onClaimed } = this.#options;
    const wanted = names.flatMap((name): PartitionClaim[] => {
      const partition = partitions.get(name);
      if (partition === undefined) return [];
      const { hub, partitionId } = partition;
      const place = { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group, partitionId };
      return [{ ...records.get(name), ...place, ownerId: worker }];
    });
    if (wanted.length === 0) return;
    for (const claim of await within(STORE_MS, store.claimOwnership(wanted))) {
      const name = partitionName(claim.eventHubName, claim.partitionId);
      const held = this.#held.get(name);
      if (held !== undefined) {
        held.renewedAt = now;
        continue;
      }
      const partition = partitions.get(name)!;
      this.#held.set(name, { partition, renewedAt: now });
      onClaimed(partition, claim.epoch ?? claim.lastModifiedTimeInMs ?? 0);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#soon = undefined;
        resolve();
      };
      const timer = setTimeout(end, this.#options.intervalMs);
      this.#soon = end;
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
