import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { aorta } from '../faults/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'aorta-preferences-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A summary of 2 March from a source, as the service sends it. */
function activity(provider: string, type: string, steps: number): string {
  const source = { provider, type };
  return JSON.stringify({
    event_type: 'daily.data.activity.created',
    user_id: 'ff4e6f6d-982b-4c2e-a320-3038c313b497',
    data: {
      id: `${provider}-${type}`,
      user_id: 'ff4e6f6d-982b-4c2e-a320-3038c313b497',
      source,
      steps,
      date: '2026-03-02T00:00:00+00:00',
      calendar_date: '2026-03-02',
      updated_at: '2026-03-02T12:00:00+00:00',
    },
  });
}

async function run(...words: string[]): Promise<string> {
  const { code, out, err } = await aorta(folder, words);
  expect([code, err]).toEqual([0, '']);
  return out;
}

const day = async (): Promise<unknown> =>
  JSON.parse(await run('query', 'select steps, steps_source, steps_others from person_days', '--json'));

test('a load with other preferences changes the source of a day', async () => {
  const lines = [activity('oura', 'ring', 900), activity('garmin', 'watch', 1000), activity('apple_health_kit', 'phone', 1100)];
  writeFileSync(join(folder, 'days.ndjson'), `${lines.join('\n')}\n`);
  await run('load', 'days.ndjson');
  expect(await day()).toEqual([{ steps: 1000, steps_source: 'garmin/watch', steps_others: 2 }]);
  writeFileSync(join(folder, 'aorta.yaml'), 'preferences: { steps: [fitbit, apple_health_kit/phone] }\n');
  await run('load', 'days.ndjson');
  expect(await day()).toEqual([{ steps: 1100, steps_source: 'apple_health_kit/phone', steps_others: 2 }]);
});
