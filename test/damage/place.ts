import { join } from 'node:path';
import { vi } from 'vitest';
import { openIntake } from '../../connectors/webhook/intake/intake.fixture.ts';
import { aorta, type Said } from '../faults/command-line.ts';

/** The data folder, relative to the folder of the configuration. */
export const DATA = 'd';

export const configuration = `
sources:
  - { type: files, name: drop, paths: [drop] }
  - { type: webhook, name: hook, listen: "127.0.0.1:1", secrets: ["whsec_${Buffer.alloc(24, 7).toString('base64')}"] }
historical_pulls: {}
`;

export const streams = (folder: string, ...names: readonly string[]): string => join(folder, DATA, 'streams', ...names);

/** Appends messages with the numbers from `first` on to the intake log of the webhook. Each is an activity with as many steps. */
export async function fillIntake(folder: string, first: number, count: number): Promise<void> {
  const intake = await openIntake(streams(folder, 'sources', 'hook.intake'));
  for (let number = first; number < first + count; number += 1) {
    const body = JSON.stringify({
      event_type: 'daily.data.activity.created',
      user_id: '11111111-2222-4333-8444-555555555555',
      data: { id: `00000000-0000-4000-8000-00000000000${number}`, steps: number, calendar_date: '2026-03-01' },
    });
    const at = (1_772_000_000 + number) * 1_000_000;
    const headers = new Map([['svix-id', `msg_${number}`]]);
    await intake.append({ receivedAt: at, arrivedAt: at, user: `u-${number}`, headers, body: Buffer.from(body) });
  }
  await intake.close();
}

export interface Ran extends Said {
  readonly log: readonly string[];
}

/** Runs once. The log goes to the standard error of this process. */
export async function runOnce(folder: string): Promise<Ran> {
  const log: string[] = [];
  using _ = vi.spyOn(process.stderr, 'write').mockImplementation((line) => log.push(String(line)) > 0);
  return { ...(await aorta(folder, ['run', '--once', '--json', '--data', DATA])), log };
}

/** Returns a query for the rows of some tables as text, without the times of processing. */
export function rowsQuery(tables: readonly string[]): string {
  const each = tables.map(
    (table) => `select '${table}', t::text as row from (select columns(c -> c <> '_loaded_at') from ${table}) t`,
  );
  return `${each.join(' union all ')} order by all`;
}
