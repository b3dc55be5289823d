import { type AmqpCondition, condition } from './conditions.ts';

/** Selects the links that a fault applies to. An omitted member matches all links. Names are case-insensitive. */
export interface LinkFilter {
  readonly kind?: 'receive' | 'send';
  readonly hub?: string;
  readonly partition?: string;
  /** consumer group; matches only receiving links */
  readonly group?: string;
  /** the identifier that the client chose (the name of its receiver) */
  readonly identifier?: string;
}

/** The properties of a link that a {@link LinkFilter} checks. */
export interface LinkFacts {
  readonly kind: 'receive' | 'send';
  readonly hub: string;
  readonly partition: string | undefined;
  readonly group: string | undefined;
  readonly identifier: string | undefined;
}

export function matches(filter: LinkFilter, link: LinkFacts): boolean {
  const same = (wanted: string | undefined, is: string | undefined) =>
    wanted === undefined || wanted.toLowerCase() === is?.toLowerCase();
  return (
    (filter.kind === undefined || filter.kind === link.kind) &&
    same(filter.hub, link.hub) &&
    same(filter.partition, link.partition) &&
    same(filter.group, link.group) &&
    (filter.identifier === undefined || filter.identifier === link.identifier)
  );
}

/** An AMQP node that answers requests. */
export type RequestNode = '$cbs' | '$management';

interface Refusal {
  readonly filter: LinkFilter;
  readonly refused: AmqpCondition;
  /** milliseconds since 1970; undefined if the refusal lasts until `admit` is called */
  readonly until: number | undefined;
}

interface Counted {
  readonly filter: LinkFilter;
  left: number;
}

/** The faults that are currently in effect. Links and nodes check them before each operation. */
export class FaultRules {
  readonly #muted = new Set<RequestNode>();
  #refusals: Refusal[] = [];
  #delays: { readonly filter: LinkFilter; readonly ms: number }[] = [];
  #repeatedDeliveries: Counted[] = [];
  #repeatedStores: Counted[] = [];

  mute(node: RequestNode): void {
    this.#muted.add(node);
  }

  unmute(node: RequestNode): void {
    this.#muted.delete(node);
  }

  isMuted(node: RequestNode): boolean {
    return this.#muted.has(node);
  }

  refuse(filter: LinkFilter, name: string = condition.serverBusy, forMs?: number): void {
    const refused = { condition: name, description: 'The attach is refused by an injected fault.' };
    this.#refusals.push({ filter, refused, until: forMs === undefined ? undefined : performance.now() + forMs });
  }

  admit(): void {
    this.#refusals = [];
  }

  refusal(link: LinkFacts): AmqpCondition | undefined {
    const now = performance.now();
    this.#refusals = this.#refusals.filter(({ until }) => until === undefined || until > now);
    return this.#refusals.find(({ filter }) => matches(filter, link))?.refused;
  }

  delay(filter: LinkFilter, ms: number): void {
    this.#delays.push({ filter, ms });
  }

  undelay(): void {
    this.#delays = [];
  }

  /** Returns the delay of each round of deliveries on a link, in milliseconds. */
  delayOf(link: LinkFacts): number {
    if (this.#delays.length === 0) return 0;
    return Math.max(0, ...this.#delays.filter(({ filter }) => matches(filter, link)).map(({ ms }) => ms));
  }

  repeatDeliveries(filter: LinkFilter, times: number): void {
    this.#repeatedDeliveries.push({ filter, left: times });
  }

  repeatStores(filter: LinkFilter, times: number): void {
    this.#repeatedStores.push({ filter, left: times });
  }

  /** Returns whether the next delivery on a link must be sent twice. Each `true` uses up one of the fault's repetitions. */
  takeRepeatedDelivery(link: LinkFacts): boolean {
    return takeOne(this.#repeatedDeliveries, link);
  }

  /** Returns whether the next batch from a link must be stored twice. Each `true` uses up one of the fault's repetitions. */
  takeRepeatedStore(link: LinkFacts): boolean {
    return takeOne(this.#repeatedStores, link);
  }
}

function takeOne(counted: Counted[], link: LinkFacts): boolean {
  if (counted.length === 0) return false;
  const index = counted.findIndex(({ filter }) => matches(filter, link));
  if (index === -1) return false;
  const rule = counted[index]!;
  rule.left--;
  if (rule.left <= 0) counted.splice(index, 1);
  return true;
}
