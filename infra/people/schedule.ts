import { dayMs, dayNumber, hourMs } from './calendar.ts';
import { type ProviderConnection, wear } from './connection.ts';
import { liveEvents, pastEvents } from './events.ts';
import { type Generation, sentForm } from './forms.ts';
import { brokenData, connectedData, markerData } from './life-cycle.ts';
import { homes, type Person, wearerOf } from './person.ts';
import { providerOf, type Resource } from './provider.ts';
import { customerId, freshUuid, type Random, randomOf, stream } from './random.ts';
import type { DataEvent } from './visit.ts';

/** The first local day with live data. Two weeks from this day on include the European clock change on 29 March. */
export const firstDay = dayNumber('2026-03-20');

/** Purposes of {@link Sending}, next to the days of live events. */
const [beginning, ending] = [1, 2];

export interface People {
  /** any safe integer. The same options give the same bytes */
  readonly seed: number;
  readonly people: number;
  /** number of local days with live data, beginning with 2026-03-20 */
  readonly days: number;
}

/** An event as the service sends it, and when it arrives if no mishap occurs. */
export interface SentEvent {
  /** ms */
  readonly at: number;
  readonly person: Person;
  readonly eventType: string;
  /** unique only within a user and an event type */
  readonly deliveryId: string;
  readonly data: object;
}

/**
 * A connection from its beginning until it breaks. The service fetches no data between the break and the next spell. Instants
 * are in ms.
 */
interface Spell {
  readonly connection: ProviderConnection;
  readonly generation: Generation;
  /** when the connection breaks, or Infinity */
  readonly until: number;
  /** when the previous spell with this provider ended. Undefined for the first one */
  readonly brokenAt: number | undefined;
  /** when the service learned of each summary, by id. All spells with a provider share it */
  readonly learned: Map<string, number>;
}

export interface Member {
  readonly person: Person;
  readonly spells: readonly Spell[];
}

/** Sets of providers. Each person connects the providers of one set. Each block of ten people uses every set. */
const wardrobes: readonly (readonly string[])[] = [
  ['fitbit'],
  ['oura', 'withings'],
  ['garmin'],
  ['apple_health_kit', 'oura'],
  ['apple_health_kit', 'freestyle_libre'],
  ['fitbit', 'withings'],
  ['garmin', 'omron'],
  ['fitbit', 'freestyle_libre', 'omron'],
  ['apple_health_kit'],
  ['oura'],
];

const generations: readonly Generation[] = ['both', 'current', 'old', 'both', 'current'];

/**
 * Marks one of every ten people. This person's first connection breaks in the middle of the recording, so that a recording
 * of ten or more people always contains a break.
 */
const breaksForSure: readonly boolean[] = [true, ...new Array<boolean>(9).fill(false)];

/**
 * Returns one person's entry from a list. The people are divided into blocks as long as the list. Within a block, every
 * entry goes to one person, in a shuffled order.
 */
function dealt<T>(seed: number, deck: number, cards: readonly T[], index: number): T {
  const block = Math.floor(index / cards.length);
  return randomOf(seed, stream.roster, deck, block).shuffled(cards)[index % cards.length]!;
}

/** Draws the beginnings and ends of the spells with a provider (ms). `outage` is the probability of a break on a day. */
function periodsOf({ zone }: Person, days: number, outage: number, sure: boolean, random: Random) {
  const connectDay = firstDay + (random.chance(0.75) ? 0 : random.whole(0, Math.floor(days / 5)));
  const sureDay = sure && outage > 0 ? Math.ceil((connectDay + firstDay + days) / 2) : Number.NaN;
  const periods: { from: number; until: number }[] = [];
  let from: number | undefined = zone.instantOf(connectDay, random.whole(7 * 3600, 21 * 3600)) + random.whole(0, 999);
  for (let day = connectDay + 1; day < firstDay + days && from !== undefined; day++) {
    const breaks: boolean = random.chance(outage) || day === sureDay;
    const until: number = zone.instantOf(day, random.whole(0, 86_399));
    const returns: boolean = random.chance(0.75);
    const pause: number = Math.round(random.between(3, 40) * hourMs);
    if (!breaks || until < from + hourMs) continue;
    periods.push({ from, until });
    from = returns ? until + pause : undefined;
  }
  if (from !== undefined) periods.push({ from, until: Number.POSITIVE_INFINITY });
  return periods;
}

/** Returns the person with the given number. Numbers start at 0. The person does not depend on the number of people. */
export function memberOf({ seed, days }: People, index: number, outage: number): Member {
  const random = randomOf(seed, stream.person, index);
  const person = wearerOf({
    seed,
    userId: freshUuid(random),
    clientUserId: customerId(random),
    teamId: freshUuid(randomOf(seed, stream.team)),
    timeZone: dealt(seed, 1, homes, index),
  });
  const isSure = dealt(seed, 20, breaksForSure, index);
  const spells = dealt(seed, 2, wardrobes, index).flatMap((slug, place) => {
    const { number, sourceTypes } = providerOf(slug);
    const learned = new Map<string, number>();
    // The oldest form does not tell two source types apart.
    const generation = dealt(seed, 3 + number, generations, index);
    const common = { generation: generation === 'old' && sourceTypes.length > 1 ? 'current' : generation, learned } as const;
    const periods = periodsOf(person, days, outage, isSure && place === 0, randomOf(person.seed, stream.history, number));
    return periods.map(({ from, until }, n) => ({
      ...common,
      connection: wear(person, { slug, connectedAt: from }),
      until,
      brokenAt: periods[n - 1]?.until,
    }));
  });
  return { person, spells };
}

/** Events of one spell, whose delivery ids depend on the spell and on `purpose`. */
class Sending {
  readonly events: SentEvent[] = [];
  readonly #spell: Spell;
  readonly #purpose: number;
  readonly #ordinals = new Map<string, number>();

  constructor(spell: Spell, purpose: number) {
    this.#spell = spell;
    this.#purpose = purpose;
  }

  /** Adds an event. The n-th event of each type has the same delivery id as the n-th event of every other type. */
  add(eventType: string, at: number, data: object): void {
    const { seed, connectedAt, person } = this.#spell.connection;
    const ordinal = this.#ordinals.get(eventType) ?? 0;
    this.#ordinals.set(eventType, ordinal + 1);
    const deliveryId = freshUuid(randomOf(seed, stream.identifier, connectedAt, this.#purpose, ordinal));
    this.events.push({ at, person, eventType, deliveryId, data });
  }

  /** Adds an event of the model. It arrives when the service learns of the data, unless another time (ms) is given. */
  play({ resource, verb, data, at: learnedAt }: DataEvent, at = learnedAt): void {
    const { connection, generation, learned } = this.#spell;
    const built = data() as { id?: string };
    const since = learned.get(built.id ?? '') ?? learnedAt;
    if (built.id !== undefined) learned.set(built.id, since);
    this.add(`daily.data.${resource}.${verb}`, at, sentForm(built, connection, { generation, at: learnedAt, since }));
  }
}

const dense: ReadonlySet<Resource> = new Set(['heartrate', 'steps', 'glucose', 'hrv', 'blood_oxygen', 'respiratory_rate']);

/** Returns how many days the first pull of a resource goes back. */
function reachOf(resource: Resource): number {
  return dense.has(resource) ? 2 : 30;
}

/**
 * Returns the events at the beginning of a spell: `provider.connection.created`, past data as ordinary `daily.data.*` events
 * and one completion marker per resource after that resource's data. The first pull goes back some days, and a later one
 * begins a day before the break. A provider with `markerFirst` sends the marker before the data, and sends no marker after
 * a break.
 */
function beginningOf(spell: Spell): readonly SentEvent[] {
  const { connection, generation, brokenAt } = spell;
  const { seed, connectedAt: from, provider } = connection;
  const random = randomOf(seed, stream.history, from);
  const sending = new Sending(spell, beginning);
  sending.add('provider.connection.created', from, connectedData(connection, generation));
  for (const resource of provider.resources) {
    const start = brokenAt === undefined ? from - reachOf(resource) * dayMs : brokenAt - dayMs;
    const mark = (at: number) =>
      sending.add(`historical.data.${resource}.created`, at, markerData(connection, { resource, start, generation }));
    if (provider.markerFirst && brokenAt === undefined) mark(from + random.whole(500, 2_000));
    let at = from + random.whole(2_000, 20_000);
    for (const event of pastEvents(connection, resource, { from: start, until: from })) {
      sending.play(event, at);
      at += random.whole(500, 4_000);
    }
    const slow = random.chance(0.08) ? random.whole(2, 15) * hourMs : random.whole(2_000, 90_000);
    if (!provider.markerFirst) mark(at + slow);
  }
  return sending.events;
}

/** Returns a person's events of a local day, each spell in the order in which the service learns of the data. */
export function eventsOf({ spells }: Member, day: number): SentEvent[] {
  return spells.flatMap((spell) => {
    const { connection, until } = spell;
    const isToday = (instant: number) => connection.person.zone.localDay(instant) === day;
    const live = new Sending(spell, day);
    for (const event of liveEvents(connection, day)) if (event.at < until) live.play(event);
    const end = new Sending(spell, ending);
    if (Number.isFinite(until) && isToday(until)) end.add('provider.connection.error', until, brokenData(connection, until));
    return [...(isToday(connection.connectedAt) ? beginningOf(spell) : []), ...live.events, ...end.events];
  });
}
