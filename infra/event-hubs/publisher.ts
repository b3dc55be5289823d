import { gzipSync } from 'node:zlib';
import type { Delivery } from '@aorta/people';
import { type EventData, type EventDataBatch, EventHubProducerClient } from '@azure/event-hubs';

const round = 1000;

/**
 * How the health-data service routes events to hubs, as configured in its management API (`azure_amqp`). The first
 * matcher that matches the event type determines the hub. If no matcher matches, the event goes to the default hub.
 */
export interface HubRouting {
  readonly default_event_hub: string;
  readonly event_hub_matchers?: readonly HubMatcher[];
}

/** A matcher has either a prefix or a regex, and either a hub or blob storage. The other members are null or absent. */
export interface HubMatcher {
  readonly event_type_prefix?: string | null;
  /** in RE2 syntax */
  readonly event_type_regex?: string | null;
  readonly event_hub?: string | null;
  readonly blob_storage?: object | null;
}

/**
 * The destination of an event type. `hub` is undefined if the destination is blob storage, to which `publishDeliveries` does
 * not publish.
 */
interface HubDestination {
  readonly hub: string | undefined;
}

type Test = (eventType: string) => boolean;

const given = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

/** Matches features that JavaScript supports but RE2 does not: look-around and back references. */
const notInRe2 = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * Converts an RE2 expression to JavaScript. The documentation of the health-data service says that expressions use RE2,
 * but not whether they match only at the beginning. Here, as in RE2, an expression matches anywhere unless it is anchored.
 */
function re2(expression: string): RegExp {
  if (notInRe2.test(expression.replaceAll('\\\\', ''))) throw new SyntaxError('RE2 has no look-around and no back references');
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(expression)!;
  return new RegExp(rest.replaceAll('(?P<', '(?<'), `u${flags}`);
}

function testOf({ event_type_prefix: prefix, event_type_regex: regex }: HubMatcher, name: string): Test {
  if (given(prefix) === given(regex)) throw new RangeError(`${name} needs either event_type_prefix or event_type_regex`);
  if (given(prefix)) return (eventType) => eventType.startsWith(prefix);
  let expression: RegExp;
  try {
    expression = re2(regex!);
  } catch {
    throw new RangeError(`${name}.event_type_regex is not a valid RE2 expression`);
  }
  return (eventType) => expression.test(eventType);
}

/**
 * Returns a function that maps an event type to its destination. If a matcher is invalid, throws a {@link RangeError} that
 * names the matcher.
 */
export function hubRouter({ default_event_hub, event_hub_matchers = [] }: HubRouting): (eventType: string) => HubDestination {
  const matchers = event_hub_matchers.map((matcher, index) => {
    const name = `event_hub_matchers[${index}]`;
    const { event_hub, blob_storage } = matcher;
    if (given(event_hub) === given(blob_storage)) throw new RangeError(`${name} needs either event_hub or blob_storage`);
    return { matches: testOf(matcher, name), destination: { hub: event_hub ?? undefined } };
  });
  const otherwise = { hub: default_event_hub };
  return (eventType) => matchers.find(({ matches }) => matches(eventType))?.destination ?? otherwise;
}

export interface PublishOptions {
  /** connection string of the namespace */
  readonly connectionString: string;
  readonly routing: HubRouting;
  readonly deliveries: Iterable<Delivery>;
  /** `auto` (default) compresses bodies larger than 1 KiB, and `always` compresses all bodies */
  readonly compression?: 'auto' | 'always';
  /** stops publishing after the current round of deliveries */
  readonly signal?: AbortSignal;
  /** called after every round of at most 1000 deliveries */
  readonly onProgress?: (published: Published) => void;
}

export interface Published {
  /** number of events that the hubs accepted */
  readonly events: number;
  /** number of accepted events by hub */
  readonly hubs: Readonly<Record<string, number>>;
  /** number of deliveries that were not published because a matcher routes them to blob storage */
  readonly blobs: number;
}

const compressedAbove = 1024;

/** Returns the event that the health-data service would publish for a delivery. */
function eventOf({ headers, body }: Delivery, compression: 'auto' | 'always' = 'auto'): EventData {
  const plain = Buffer.from(JSON.stringify(body));
  if (compression === 'auto' && plain.length <= compressedAbove) return { body: plain, properties: { ...headers } };
  return { body: gzipSync(plain), properties: { ...headers, 'content-encoding': 'gzip' } };
}

/**
 * Publishes deliveries to hubs, as the health-data service does. The partition key is the user id, so the events of one
 * user stay in order within a hub. Rejects with the client's error if a hub does not exist or refuses an event.
 */
export async function publishDeliveries(options: PublishOptions): Promise<Published> {
  const { connectionString, routing, compression, signal, onProgress } = options;
  const route = hubRouter(routing);
  const producers = new Map<string, EventHubProducerClient>();
  const producerOf = (hub: string) => {
    const producer = producers.get(hub) ?? new EventHubProducerClient(connectionString, hub);
    producers.set(hub, producer);
    return producer;
  };
  await using connected = new AsyncDisposableStack();
  connected.defer(async () => void (await Promise.all(producers.values().map((producer) => producer.close()))));
  let published: Published = { events: 0, hubs: {}, blobs: 0 };
  for (const deliveries of rounds(options.deliveries)) {
    if (signal?.aborted) break;
    const routed = Map.groupBy(deliveries, ({ headers }) => route(headers['event-type']!).hub);
    const blobs = routed.get(undefined)?.length ?? 0;
    const hubs = { ...published.hubs };
    const sending: Promise<void>[] = [];
    for (const [hub, ofHub] of routed) {
      if (hub === undefined) continue;
      hubs[hub] = (hubs[hub] ?? 0) + ofHub.length;
      const byUser = Map.groupBy(ofHub, ({ headers }) => headers['user-id']!);
      for (const [user, ofUser] of byUser)
        sending.push(
          sendInOrder(
            producerOf(hub),
            user,
            ofUser.values().map((delivery) => eventOf(delivery, compression)),
          ),
        );
    }
    await Promise.all(sending);
    published = { events: published.events + deliveries.length - blobs, hubs, blobs: published.blobs + blobs };
    onProgress?.(published);
  }
  return published;
}

function* rounds(deliveries: Iterable<Delivery>): Generator<readonly Delivery[], void, undefined> {
  let gathered: Delivery[] = [];
  for (const delivery of deliveries) {
    if (gathered.push(delivery) < round) continue;
    yield gathered;
    gathered = [];
  }
  if (gathered.length > 0) yield gathered;
}

/**
 * Sends events that have the same partition key in as few batches as possible, in order. `send` sends a batch. By default, it
 * waits until the hub acknowledges the batch.
 */
export async function sendInOrder(
  producer: EventHubProducerClient,
  partitionKey: string,
  events: Iterable<Parameters<EventDataBatch['tryAdd']>[0]>,
  send: (batch: EventDataBatch) => Promise<void> = (batch) => producer.sendBatch(batch),
): Promise<void> {
  let batch = await producer.createBatch({ partitionKey });
  for (const event of events) {
    if (batch.tryAdd(event)) continue;
    if (batch.count > 0) await send(batch);
    batch = await producer.createBatch({ partitionKey });
    if (!batch.tryAdd(event)) throw new RangeError('an event is larger than the size limit of a batch');
  }
  if (batch.count > 0) await send(batch);
}
