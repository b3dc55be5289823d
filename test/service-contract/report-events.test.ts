import { readEvent } from '@aorta/schemas';
import { Service, type User } from '@aorta/service';
import { expect, test } from 'vitest';
import { eventDeviationsOf } from './answer-schemas.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;

interface Body {
  readonly event_type: string;
  readonly user_id: string;
  readonly data: {
    readonly id: string;
    readonly status: string;
    readonly data: { readonly results: readonly { readonly test_name: string }[] } | null;
  };
}

/** Returns the bodies of all events of jobs that are completed, reviewed, failed and scripted. */
async function bodies(): Promise<Body[]> {
  const sent: Body[] = [];
  const service = new Service({
    start: START,
    runs: false,
    seed: 1,
    send: async (_, { body }) => {
      sent.push(JSON.parse(body));
      return 204;
    },
  });
  const { team_id } = service.teams.create('first');
  service.endpoints.create(team_id, { url: 'http://x' });
  // The vendor documents client user ids as UUIDs.
  const user = service.users.create(team_id, crypto.randomUUID(), {}) as User;
  for (const file of ['%PDF-1', '%PDF-2', 'x']) service.reports.create(user, [Buffer.from(file)], true);
  service.reports.script(user.user_id, { kind: 'failed', failure_reason: 'low_quality' });
  service.reports.create(user, [Buffer.from('%PDF-1')], false);
  await service.jobs.advanceTo(START + DAY_MS);
  await service.close();
  return sent;
}

test('the events about parsing jobs are those that the vendor documents', async () => {
  const sent = await bodies();
  const types = Map.groupBy(sent, ({ event_type }) => event_type);
  expect([...types].map(([type, some]) => [type, some.length])).toEqual([
    ['lab_report.parsing_job.created', 4],
    // Two jobs are reviewed.
    ['lab_report.parsing_job.updated', 4 + 2],
  ]);
  for (const body of sent) expect(eventDeviationsOf(body)).toEqual([]);
});

test('the validation of events finds unknown types, and missing, wrong and unknown members', async () => {
  const body = (await bodies())[0]!;
  expect(eventDeviationsOf({ ...body, event_type: 'x' })).toEqual(['the event type is not documented']);
  const { id: _, ...withoutId } = body.data;
  expect(eventDeviationsOf({ ...body, data: withoutId } as Body)).toHaveLength(1);
  expect(eventDeviationsOf({ ...body, data: { ...body.data, status: 'x' } } as Body)).toHaveLength(1);
  expect(eventDeviationsOf({ ...body, more: 1 } as Body)).toEqual(['/more: is not documented']);
});

test('Aorta reads every member of the events about parsing jobs', async () => {
  const receipt = { source: 's', partition: '0', offset: 7, received_at: 1, delivery_id: null, header_facts: 0 };
  const rest = { body_bytes: 2, body_crc32: 3, arrived_at: null };
  for (const body of await bodies()) {
    const reading = readEvent('lab_report_parsing_jobs', body.event_type, body, { ...receipt, ...rest });
    expect(reading).toMatchObject({
      kind: 'record',
      refused: [],
      record: { event: { user_id: body.user_id }, id: body.data.id, status: body.data.status, extra: null },
    });
    const { results } = (reading as unknown as { record: { results: { test_name: string }[] } }).record;
    const names = (body.data.data?.results ?? []).map(({ test_name }) => test_name);
    expect(results.map(({ test_name }) => test_name)).toEqual(names);
  }
});
