import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, figure } from './measure.ts';

const CONNECTIONS = 64;
/** Smallest accepted ratio of durable to bare requests. */
const LEAST_RATIO = 0.5;
/** Maximum 99th percentile of the latency at half of the rate, in milliseconds. */
const MOST_P99_MS = 50;
/** A file system in memory, on Linux. */
const IN_MEMORY = '/dev/shm';

interface Posted {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Measures how many signed webhooks of 1 KB a receiver answers per second. A receiver that makes them durable is compared with a
 * Fastify server that verifies and discards them. Receiver and sender are processes of their own.
 */
export async function webhook(rounds: number, seconds: number): Promise<Figure[]> {
  const bare: number[] = [];
  const durable: number[] = [];
  const ratios: number[] = [];
  const p99: number[] = [];
  const p99InMemory: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(rateOf(await measure('bare', seconds, 0)));
    durable.push(rateOf(await measure('durable', seconds, 0)));
    ratios.push(durable.at(-1)! / bare.at(-1)!);
    const half = Math.round(durable.at(-1)! / 2);
    p99.push((await measure('durable', seconds, half)).p99);
    if (existsSync(IN_MEMORY)) p99InMemory.push((await measure('durable', seconds, half, IN_MEMORY)).p99);
  }
  const latency = { target: `≤ ${MOST_P99_MS}`, met: (milliseconds: number) => milliseconds <= MOST_P99_MS };
  return [
    figure('bare Fastify server: verified webhooks', '1/s', bare),
    figure('webhook source: durable webhooks', '1/s', durable),
    figure('durable ÷ bare webhooks', '', ratios, { target: `≥ ${LEAST_RATIO}`, met: (ratio) => ratio >= LEAST_RATIO }),
    figure('webhook source, half of the rate: 99th percentile', 'ms', p99, latency),
    // The disk of a virtual machine may stand still for a tenth of a second, and this shows how much of the latency is its.
    ...(p99InMemory.length === 0
      ? []
      : [figure('webhook source, half of the rate, log in memory: 99th percentile', 'ms', p99InMemory, latency)]),
  ];
}

const rateOf = ({ accepted, seconds }: Posted): number => accepted / seconds;

async function measure(mode: 'bare' | 'durable', seconds: number, rate: number, root = tmpdir()): Promise<Posted> {
  const folder = mkdtempSync(join(root, 'aorta-bench-'));
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receiver = start('receiving.process.ts', [mode, secret, folder]);
  try {
    const [port] = await once(receiver.stdout!, 'data');
    const words = [String(port).trim(), secret, CONNECTIONS, seconds, rate].map(String);
    const [printed] = await once(start('posting.process.ts', words).stdout!, 'data');
    const posted = JSON.parse(String(printed)) as Posted;
    if (posted.refused > 0) throw new Error(`${posted.refused} requests were refused`);
    return posted;
  } finally {
    receiver.kill('SIGKILL');
    await once(receiver, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(file: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, file), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
}
