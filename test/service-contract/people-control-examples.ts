import type { Recorder } from './control-recorder.ts';
import type { ExampleTeam } from './team-control-examples.ts';

/** Returns a user with a connection to Fitbit. */
export async function peopleExamples(recorder: Recorder, team: ExampleTeam): Promise<string> {
  const { section, control, call } = recorder;
  section('Connections and data');
  const { user_id } = await call(team.api_key, 'POST /v2/user', { client_user_id: 'patient-1' });
  await control('POST /connections', {
    user_id,
    provider: 'fitbit',
    external_user_id: 'jo@example.com',
    unavailable: ['sleep'],
    is_generated: false,
  });
  await dataExamples(recorder, user_id);
  await recorder.prepare('POST /connections', { user_id, provider: 'strava' });
  await control('POST /connections/break', {
    user_id,
    provider: 'strava',
    error_type: 'provider_password_expired',
    error_message: 'The password has expired.',
  });

  section('The clock');
  await control('GET /clock');
  await control('POST /clock/advance', { seconds: 60 });
  await control('POST /clock/run', { runs: false });

  await pullExamples(recorder, team);
  return user_id;
}

async function dataExamples({ control }: Recorder, user_id: string): Promise<void> {
  const source = { provider: 'fitbit', type: 'scale' };
  const sample = { timestamp: '2026-01-30T07:00:00+00:00', timezone_offset: 3600, type: null, unit: 'kg', value: 71.3 };
  await control(
    'POST /data',
    { user_id, provider: 'fitbit', resource: 'weight', data: { source, data: [sample] } },
    { title: 'A sample' },
  );
  const ride = {
    workout_id: '7a1e2b3c-0000-4000-8000-000000000001',
    provider_id: '8211',
    message: 'The stream is available.',
    source,
  };
  const stream = {
    time: [1769760000, 1769760001],
    heartrate: [121, 122],
    cadence: [80, 82],
    power: [182, 190],
    resistance: [null, null],
    altitude: [48.5, 48.7],
    velocity_smooth: [6.9, 7.1],
    distance: [0, 7.1],
    temperature: [4, 4],
    lat: [52.52, 52.5201],
    lng: [13.405, 13.4051],
  };
  await control(
    'POST /data',
    { user_id, provider: 'fitbit', resource: 'workout_stream', data: ride, stream, is_historical: true },
    { title: 'The stream of a workout' },
  );
}

async function pullExamples({ section, control, call, prepare }: Recorder, { api_key }: ExampleTeam): Promise<void> {
  section('Historical pulls');
  const { user_id } = await call(api_key, 'POST /v2/user', { client_user_id: 'patient-2' });
  await control('POST /pulls/script', {
    provider: 'omron',
    user_id,
    resource: 'blood_pressure',
    outcomes: [
      { kind: 'rate_limit', attempts: 2 },
      { kind: 'transport_failure', after_chunks: 1 },
      { kind: 'slow', seconds_per_chunk: 600 },
      { kind: 'outage', from: '2026-01-31T02:00:00Z', until: '2026-01-31T04:00:00Z' },
    ],
  });
  await control('GET /pulls/scripts');
  await prepare('POST /connections', { user_id, provider: 'omron' });
  await prepare('POST /clock/advance', { seconds: 86_400 });
  await control('POST /pulls/list', { user_id });
  await control('POST /pulls/trigger', { user_ids: [user_id], provider: 'omron' });
}
