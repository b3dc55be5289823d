import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { activityEvent } from './events.ts';

/**
 * Posts signed summaries of 1 KB over keep-alive connections: `node posting.process.ts PORT SECRET CONNECTIONS SECONDS RATE`. Each
 * connection has one request under way. With RATE 0 it sends the next request as soon as it has an answer; otherwise all connections
 * together send RATE requests per second. Prints a line of JSON: the number of 2xx answers, the duration in seconds, and
 * percentiles of the latency in milliseconds. The latency begins when a request is due.
 */
const [port, secret, connections, seconds, rate] = process.argv.slice(2);
const signer = new Webhook(secret!);
const DIFFERENT = 2_000;
const ANSWER_END = '\r\n\r\n';
/** Unmeasured time at the start, in milliseconds. */
const WARM_UP_MS = 2_000;

const now = new Date();
const timestamp = Math.floor(now.getTime() / 1000);
const requests = Array.from({ length: DIFFERENT }, (_, index) => {
  const body = Buffer.from(JSON.stringify(activityEvent(index)));
  const id = `msg_${randomUUID()}`;
  const head = [
    'POST /webhook HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `svix-id: ${id}`,
    `svix-timestamp: ${timestamp}`,
    `svix-signature: ${signer.sign(id, now, body)}`,
  ].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
});

const latencies: number[] = [];
const begun = performance.now();
const measuredFrom = begun + WARM_UP_MS;
const end = measuredFrom + Number(seconds) * 1000;
let sent = 0;
let refused = 0;

/** Sends requests over one connection until the end. */
async function post(socket: Socket, number: number): Promise<void> {
  const interval = Number(rate) === 0 ? 0 : (1000 * Number(connections)) / Number(rate);
  let due = begun + (interval * number) / Number(connections);
  while (due < end) {
    if (interval > 0) await sleep(Math.max(0, due - performance.now()));
    const from = interval > 0 ? due : performance.now();
    if (from >= end) break;
    socket.write(requests[sent++ % DIFFERENT]!);
    let answer = '';
    while (!answer.includes(ANSWER_END)) answer += (await once(socket, 'data'))[0].toString('latin1');
    if (!answer.startsWith('HTTP/1.1 2')) refused += 1;
    else if (from >= measuredFrom) latencies.push(performance.now() - from);
    due = interval > 0 ? due + interval : performance.now();
  }
  socket.destroy();
}

await Promise.all(
  Array.from({ length: Number(connections) }, async (_, number) => {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    await post(socket, number);
  }),
);
latencies.sort((a, b) => a - b);
const percentile = (share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
process.stdout.write(
  `${JSON.stringify({ accepted: latencies.length, refused, seconds: Number(seconds), p50: percentile(0.5), p99: percentile(0.99) })}\n`,
);
