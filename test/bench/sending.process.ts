import { setTimeout as sleep } from 'node:timers/promises';
import { EventHubProducerClient } from '@azure/event-hubs';
import { activityEvent, summaryHeadersOf } from './events.ts';

/** Sends summaries at a constant rate, each with the time when it is sent: `node sending.process.ts CONNECTION HUB RATE TOTAL`. */
const [connection, hub, rate, total] = process.argv.slice(2);
/** Maximum number of events per batch, so that a batch never gets too large. If the process falls behind, it sends several. */
const AT_ONCE = 250;
const producer = new EventHubProducerClient(connection!, hub!);
const begun = performance.now();
const sending: Promise<void>[] = [];
let sent = 0;
while (sent < Number(total)) {
  const from = sent;
  const due = Math.min(Number(total), from + AT_ONCE, Math.ceil(((performance.now() - begun) * Number(rate)) / 1000));
  sent = due;
  const events = Array.from({ length: due - from }, (_, index) => ({
    body: Buffer.from(JSON.stringify(activityEvent(from + index))),
    properties: { ...summaryHeadersOf(from + index), 'sent-at': String(Date.now()) },
  }));
  if (events.length > 0) sending.push(producer.sendBatch(events));
  await sleep(10);
}
await Promise.all(sending);
await producer.close();
