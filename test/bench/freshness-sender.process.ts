import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@aorta/connectors/kafka/client';
import { silentLogger } from '@aorta/runtime';
import { EventHubProducerClient } from '@azure/event-hubs';
import { Webhook } from 'standardwebhooks';
import { activityEvent, summaryHeadersOf } from './events.ts';

/**
 * Sends distinct summaries at a constant rate: `node freshness-sender.process.ts KIND ADDRESS NAME RATE SECONDS`. KIND is
 * `event-hubs`, `kafka` or `webhook`, and NAME is a hub, a topic or a secret. The distance in a summary is the time when it is sent,
 * in milliseconds since 1970. Fails if it cannot keep up with the rate.
 */
const [kind, address, name, rate, seconds] = process.argv.slice(2);
/** Maximum number of events per batch, so that a batch never gets too large. */
const AT_ONCE = 250;
const PARTITIONS = 4;
const LATE_MS = 1_000;
/** Number of the first summary. Those before it may be in the warehouse already. */
const FIRST = 1_000;

interface Event {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Sender {
  send(events: readonly Event[], call: number): Promise<unknown>;
  close(): Promise<unknown>;
}

function eventHubs(): Sender {
  const producer = new EventHubProducerClient(address!, name!);
  return {
    send: (events) => producer.sendBatch(events.map(({ body, headers }) => ({ body, properties: headers }))),
    close: () => producer.close(),
  };
}

async function kafka(): Promise<Sender> {
  const client = openKafka({ brokers: [address!], clientId: 'sender' }, { logger: silentLogger });
  const producer = await client.producer({});
  return {
    send: (events, call) =>
      producer.produce(
        { topic: name!, partition: call % PARTITIONS },
        events.map(({ body, headers }) => ({
          key: Buffer.from(headers['user-id']!),
          value: body,
          headers: Object.entries(headers).map(([header, value]) => [header, Buffer.from(value)] as const),
        })),
      ),
    close: () => client.close(),
  };
}

function webhook(): Sender {
  const signer = new Webhook(name!);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const post = ({ body }: Event): Promise<void> =>
    new Promise((resolve, reject) => {
      const id = `msg_${randomUUID()}`;
      const now = new Date();
      const headers = {
        'content-type': 'application/json',
        'svix-id': id,
        'svix-timestamp': Math.floor(now.getTime() / 1000),
        'svix-signature': signer.sign(id, now, body),
      };
      const sent = request(`${address}/webhook`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', resolve);
        if (answer.statusCode! >= 300) reject(new Error(`the webhook was answered with ${answer.statusCode}`));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { send: (events) => Promise.all(events.map(post)), close: async () => agent.destroy() };
}

const senders = { 'event-hubs': eventHubs, kafka, webhook };
const sender = await senders[kind as keyof typeof senders]();
const total = Number(rate) * Number(seconds);
const begun = performance.now();
const sending: Promise<unknown>[] = [];
let sent = 0;
for (let call = 0; sent < total; call++) {
  const due = Math.min(total, Math.ceil(((performance.now() - begun) * Number(rate)) / 1000));
  const until = Math.min(due, sent + AT_ONCE);
  if (performance.now() - begun - (sent * 1000) / Number(rate) > LATE_MS)
    throw new Error(`cannot send ${rate} events per second`);
  const events = Array.from({ length: until - sent }, (_, index): Event => {
    const number = FIRST + sent + index;
    const event = activityEvent(number) as { data: object };
    const body = Buffer.from(JSON.stringify({ ...event, data: { ...event.data, distance: Date.now() } }));
    return { body, headers: summaryHeadersOf(number) };
  });
  sent = until;
  if (events.length > 0) sending.push(sender.send(events, call));
  await sleep(10);
}
await Promise.all(sending);
await sender.close();
