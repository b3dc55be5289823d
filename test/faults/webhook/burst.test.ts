import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';

const MESSAGES = 200_000;
const CONNECTIONS = 64;
/** Bytes of a message. */
const SIZE = 1000;
/** The process has reached its working size after so many messages. */
const WARM_UP = 100_000;
/** Largest growth of the resident memory after {@link WARM_UP}, in MB. The other messages have 100 MB. */
const MOST_GROWTH_MB = 60;

/** Resident memory of a process, in MB. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;
}

function bodyOf(number: number): string {
  const user_id = `00000000-0000-4000-8000-${String(number % 5000).padStart(12, '0')}`;
  const data = {
    id: `a-${number}`,
    user_id,
    calendar_date: '2026-02-01',
    steps: number,
    source: { provider: 'oura', type: 'ring' },
  };
  const event = { event_type: 'daily.data.activity.created', team_id: 't', user_id, client_user_id: 'c', data, filler: '' };
  event.filler = 'x'.repeat(SIZE - JSON.stringify(event).length);
  return JSON.stringify(event);
}

/** Posts a signed message. Resolves with the status. */
function post(number: number, url: string, signer: Webhook, agent: Agent): Promise<number> {
  const body = bodyOf(number);
  const id = `msg_burst_${number}`;
  const now = new Date();
  const headers = {
    'content-length': body.length,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signer.sign(id, now, body),
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end(body);
  });
}

test('memory stays flat in a burst of 200,000 messages while the warehouse stands still', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const receiver = await Receiver.create(folder);
    // This process does not load. So the warehouse could not be slower.
    const child = await receiver.start();
    const signer = new Webhook(receiver.service.secret);
    let next = 0;
    let warm = Number.NaN;
    let peak = 0;
    const sender = async (): Promise<void> => {
      for (let number = next++; number < MESSAGES; number = next++) {
        expect(await post(number, receiver.service.url, signer, agent)).toBe(204);
        if (number % 1000 !== 0) continue;
        const memory = memoryOf(child.pid!);
        if (number === WARM_UP) warm = memory;
        else if (number > WARM_UP) peak = Math.max(peak, memory);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    agent.destroy();
    expect(peak - warm, `MB above ${warm.toFixed(0)}`).toBeLessThan(MOST_GROWTH_MB);
    await end(child, 'SIGTERM');
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    const sql = 'select (select count(*) from activity) as activities, count(*) as rows from deliveries where not redelivered';
    expect(JSON.parse((await aorta(folder, ['query', '--json', sql])).stdout)).toEqual([
      { activities: MESSAGES, rows: MESSAGES },
    ]);
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
