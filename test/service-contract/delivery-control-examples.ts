import type { Recorder } from './control-recorder.ts';
import type { ExampleTeam } from './team-control-examples.ts';

interface Given extends ExampleTeam {
  readonly user_id: string;
}

const weightAt = (time: string) => ({
  source: { provider: 'fitbit', type: 'scale' },
  data: [{ timestamp: `2026-01-30T${time}:00+00:00`, timezone_offset: null, type: null, unit: 'kg', value: 71.3 }],
});

/** Returns an endpoint where nothing listens. */
export async function deliveryExamples(recorder: Recorder, { team_id, user_id }: Given): Promise<{ endpoint_id: string }> {
  const { section, control, prepare } = recorder;
  const push = (time: string) => prepare('POST /data', { user_id, provider: 'fitbit', resource: 'weight', data: weightAt(time) });

  section('Webhooks');
  const { endpoint_id } = await control('POST /webhooks', {
    team_id,
    url: 'http://127.0.0.1:9/webhook',
    description: 'all weights',
    filter_types: ['daily.data.weight.created'],
    headers: { 'x-tenant': 'north' },
    secret: 'whsec_bG9jYWwtZGV2ZWxvcG1lbnQtb25seS0t',
    disabled: false,
  });
  await control('GET /webhooks', { team_id });
  await control('GET /webhooks/{endpoint_id}', { endpoint_id });
  await control('POST /webhooks/{endpoint_id}/update', {
    endpoint_id,
    url: 'http://127.0.0.1:9/events',
    description: 'all weights and workouts',
  });
  await control('POST /webhooks/{endpoint_id}/headers', {
    endpoint_id,
    headers: { 'x-tenant': 'north', authorization: 'Bearer t' },
  });
  const filter_types = ['daily.data.weight.created', 'daily.data.workouts.created'];
  await control('POST /webhooks/{endpoint_id}/filter', { endpoint_id, filter_types });
  const secret = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgMzIgYnl0ZXMh';
  await control('POST /webhooks/{endpoint_id}/rotate_secret', { endpoint_id, secret });
  await push('07:10');
  await push('07:20');
  await prepare('POST /clock/advance', { seconds: 60 });
  const { deliveries } = await control('GET /webhooks/{endpoint_id}/deliveries', { endpoint_id, limit: 10 });
  const [{ message_id }] = deliveries;
  await control(
    'GET /webhooks/{endpoint_id}/deliveries',
    { endpoint_id, after: message_id },
    { title: 'The messages after another one' },
  );
  await control('POST /webhooks/{endpoint_id}/resend', { endpoint_id, message_id });
  await prepare('POST /clock/advance', { seconds: 2 * 86_400 });
  await control('POST /webhooks/{endpoint_id}/recover', { endpoint_id, since: '2026-01-31T00:00:00Z' });
  await prepare('POST /clock/advance', { seconds: 0 });
  await control('POST /webhooks/{endpoint_id}/enable', { endpoint_id, enabled: false });
  await control('POST /webhooks/{endpoint_id}/delete', { endpoint_id });

  section('Pipelines');
  const namespace = 'SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true';
  await control('POST /pipelines/{team_id}', {
    team_id,
    push_historical_data: true,
    event_type_prefixes: ['daily.data.', 'historical.data.'],
    azure_amqp: {
      connection_string: `Endpoint=sb://127.0.0.1:5672;${namespace}`,
      default_event_hub: 'health-events',
      compression: 'always',
      event_hub_matchers: [
        { event_type_prefix: 'historical.', event_hub: 'history' },
        { event_type_regex: '\\.weight\\.(created|updated)$', event_hub: 'weights' },
      ],
    },
  });
  await push('07:30');
  await prepare('POST /clock/advance', { seconds: 0 });
  await control('GET /pipelines/{team_id}', { team_id });
  await control('GET /pipelines/{team_id}/undeliverable', { team_id });
  await control('POST /pipelines/{team_id}/remove', { team_id });
  return { endpoint_id };
}
