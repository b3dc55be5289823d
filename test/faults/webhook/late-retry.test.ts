import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, stepsOfHour } from './service.ts';

test('an incomplete bucket that is accepted after the final one does not replace it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  try {
    const receiver = await Receiver.create(folder);
    const incomplete = stepsOfHour({ hour: 10, value: 100, secondsAgo: 3600 });
    const final = stepsOfHour({ hour: 10, value: 250, secondsAgo: 60 });
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
