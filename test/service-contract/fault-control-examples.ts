import type { Recorder } from './control-recorder.ts';

interface Given {
  readonly team_id: string;
  readonly user_id: string;
  readonly endpoint_id: string;
}

export async function faultExamples({ section, control }: Recorder, { team_id, user_id, endpoint_id }: Given): Promise<void> {
  section('Fault rules');
  const add = (title: string, rule: Readonly<Record<string, unknown>>) => control('POST /faults', rule, { title });
  const { rule_id } = await add('A status, twice', {
    on: 'operation',
    match: { operation: 'list_users' },
    times: 2,
    effect: {
      kind: 'status',
      status: 429,
      retry_after: { seconds: 3, form: 'seconds' },
      body: 'Slow down.',
      content_type: 'text/plain',
    },
  });
  await add('An answer for a path that no operation has', {
    on: 'operation',
    match: { method: 'GET', path: '/v2/beta/{user_id}', query: { page: '1' } },
    effect: { kind: 'answer', status: 200, body: { data: [] }, content_type: 'application/json' },
  });
  await add('One of ten answers of a team ends after 100 bytes', {
    on: 'operation',
    match: { path_prefix: '/v2/summary', team_id },
    probability: 0.1,
    delay_ms: 500,
    effect: { kind: 'reset', after_bytes: 100 },
  });
  await add('An endpoint that answers with status 503', {
    on: 'delivery',
    match: { endpoint_id },
    effect: { kind: 'lose', status: 503 },
    times: 5,
  });
  await add('Events of a user that change their order in a pipeline', {
    on: 'delivery',
    match: { pipeline: team_id, user_id, event_type_prefix: 'daily.data.' },
    effect: { kind: 'reorder', behind: 2, within_seconds: 600 },
  });
  await add('All webhooks, ten minutes late', { on: 'delivery', match: { via: 'webhook' }, delay_seconds: 600 });
  await control('GET /faults');
  await control('POST /faults/{rule_id}/remove', { rule_id });
  await control('POST /faults/clear');

  section('Requests and limits');
  await control('GET /requests', { after: 1, limit: 2 });
  await control('POST /limits', { requests: 600, seconds: 60 });
  await control('GET /limits');
}
