import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, messageId, type SentMessage } from './service.ts';

const USER = '00000000-0000-4000-8000-000000000001';

/** Returns a message with the steps of the same hour, created `secondsAgo`. */
function bucket(value: number, secondsAgo: number): SentMessage {
  const event = {
    event_type: 'daily.data.steps.created',
    team_id: '00000000-0000-4000-9000-000000000000',
    user_id: USER,
    client_user_id: 'c',
    data: {
      user_id: USER,
      source: { provider: 'fitbit', type: 'watch' },
      data: [
        {
          timestamp: '2026-02-01T10:00:00+00:00',
          start: '2026-02-01T10:00:00+00:00',
          end: '2026-02-01T11:00:00+00:00',
          timezone_offset: 0,
          type: null,
          unit: 'count',
          value,
        },
      ],
    },
  };
  return { id: messageId(Math.floor(Date.now() / 1000) - secondsAgo, BigInt(value)), body: JSON.stringify(event) };
}

test('an incomplete bucket that is accepted after the final one does not replace it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  try {
    const receiver = await Receiver.create(folder);
    const incomplete = bucket(100, 3600);
    const final = bucket(250, 60);
    // The first attempt is lost: nothing listens yet.
    expect(await attempt(incomplete, receiver.service)).toBe(undefined);
    const child = await receiver.start();
    expect(await attempt(final, receiver.service)).toBe(204);
    expect(await attempt(incomplete, receiver.service)).toBe(204);
    await end(child, 'SIGTERM');
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    const sql = `select value, (select count(*) from deliveries where arrived_at > received_at + interval '50 seconds') as late from timeseries`;
    expect(JSON.parse((await aorta(folder, ['query', '--json', sql])).stdout)).toEqual([{ value: 250, late: 2 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
