import { openApiDocument, Service } from '@aorta/service';
import { appointmentExamples } from './appointment-examples.ts';
import type { Examples } from './examples.ts';
import { managementExamples } from './management-examples.ts';
import { orderExamples } from './order-examples.ts';

const START = Date.UTC(2026, 0, 1);
const WEEK_MS = 7 * 86_400_000;

/** A running service with a week of data, and values that exist in it. */
interface ServiceUnderTest extends AsyncDisposable {
  readonly service: Service;
  readonly url: string;
  readonly key: string;
  readonly managementKey: string;
  /** Its OpenAPI document. */
  readonly document: object;
  readonly examples: Examples;
}

export async function startServiceUnderTest(): Promise<ServiceUnderTest> {
  // With small pages, many answers have a cursor. The seed determines ids and data.
  // Senders send nothing, because the tool names the destinations.
  const senders = { send: async () => 204, sendToHub: async () => [] };
  const service = new Service({ start: START, runs: false, seed: 1, pageSize: 20, ...senders });
  const { team_id, org_id, api_key: key } = service.teams.create('first');
  service.teams.betas.set(team_id, 'import_order', true);
  const { key: managementKey } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const connected = (provider: string, clientUserId: string): string => {
    const id = newUser(service, team_id, clientUserId);
    service.connections.connect(service.users.any(id)!, { provider, isDemo: false });
    return id;
  };
  const users = ['oura', 'garmin', 'withings', 'freestyle_libre'].map((provider) => connected(provider, provider));
  await service.jobs.advanceTo(START + WEEK_MS);
  const unconnected = many((number) => newUser(service, team_id, `unconnected-${number}`));
  const deregistered = many((number) => connected('oura', `deregistered-${number}`));
  const deleted = many((number) => newUser(service, team_id, `deleted-${number}`));
  const restored = many((number) => newUser(service, team_id, `restored-${number}`));
  for (const id of restored) service.users.delete(team_id, id);
  const pdf = Buffer.from('%PDF-1.7');
  const { id: report } = service.reports.create(service.users.any(users[0]!)!, [pdf], false);
  const appointments = appointmentExamples(service, unconnected[0]!);
  const orders = orderExamples(service, unconnected[0]!);
  const management = managementExamples(service, org_id);
  const served = await service.serve();
  const ask = async (path: string) =>
    (await (await fetch(`${served.url}${path}`, { headers: { 'x-service-api-key': key } })).json()) as never;
  const [oura, garmin] = users as [string, string];
  const devices: { id: string }[] = await ask(`/v2/user/${oura}/device`);
  const { workouts }: { workouts: { id: string }[] } = await ask(`/v2/summary/workouts/${garmin}?start_date=2025-01-01`);
  const { sleep }: { sleep: { id: string }[] } = await ask(`/v2/summary/sleep/${oura}?start_date=2025-01-01`);
  const { data: labTests }: { data: { id: string; markers: { lab_id: number; provider_id: string }[] }[] } =
    await ask('/v3/lab_test');
  const [marker] = labTests[0]!.markers;
  const results = await newResults(service, served.url, key);
  return {
    service,
    url: served.url,
    key,
    managementKey,
    document: openApiDocument(service.operations, '1.0.0'),
    examples: {
      parameters: {
        user_id: users,
        start_date: ['2025-01-01', '2026-01-05T12:00:00Z'],
        client_user_id: ['oura', 'garmin'],
        workout_id: workouts.map(({ id }) => id),
        sleep_id: sleep.map(({ id }) => id),
        user_limit: [2],
        ...orders.parameters,
        ...management.parameters,
        lab_test_id: labTests.map(({ id }) => id),
        lab_account_id: [1001, 1002],
        lab_test_limit: [5],
        raw_result_id: results.pending,
        run_id: results.runs,
      },
      ofOperation: {
        ...appointments.ofOperation,
        ...orders.ofOperation,
        ...management.ofOperation,
        get_device: { user_id: [oura], device_id: devices.map(({ id }) => id) },
        get_profile: { user_id: [oura] },
        get_marker: { lab_id: [marker!.lab_id], provider_id: [marker!.provider_id], lab_account_id: [] },
        delete_user: { user_id: deleted },
        accept_unmatched_result: { raw_result_id: results.accepted },
        resolve_unmatched_result: { raw_result_id: results.resolved },
        deregister_provider: { user_id: deregistered, provider: ['oura'] },
        get_lab_report_parser_job: { job_id: [report] },
        // Both parameters at once are refused.
        undo_delete_user: { user_id: restored, client_user_id: [] },
      },
      bodies: {
        ...appointments.bodies,
        ...orders.bodies,
        ...management.bodies,
        create_user: { client_user_id: 'new' },
        patch_user: { fallback_time_zone: 'Europe/Berlin', ingestion_start: '2025-01-01' },
        // The examples of the parameters name the user.
        undo_delete_user: {},
        connect_demo_provider: { user_id: unconnected[0], provider: 'fitbit' },
        create_lab_report_parser_job: { file: [pdf.toString()], user_id: oura },
        // A user with a connection would get a pull, for whose end the request could wait: the clock stands still.
        bulk_trigger_historical_pull: { user_ids: [unconnected[0]], provider: 'oura' },
        list_markers_of_order_set: { lab_test_ids: [labTests[0]!.id] },
        accept_unmatched_result: { user_id: oura },
        create_unmatched_result_test: { case: 'match_demo', order_source: 'managed' },
      },
      members: {
        ...appointments.members,
        ...orders.members,
        ...management.members,
        create_user: { fallback_time_zone: ['Europe/Berlin', 'America/New_York'] },
        patch_user: { fallback_time_zone: ['Europe/Berlin', 'America/New_York'] },
        connect_demo_provider: { user_id: unconnected },
        create_lab_report_parser_job: { user_id: users, needs_human_review: ['true', 'false'] },
      },
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      await service.close();
    },
  };
}

const many = (make: (number: number) => string): string[] => Array.from({ length: 50 }, (_, number) => make(number));

function newUser(service: Service, team: string, clientUserId: string): string {
  const made = service.users.create(team, clientUserId, {});
  if ('taken' in made) throw new Error('two users of the test have the same client user id');
  return made.user_id;
}

const RUN_MS = 120_000;

/** Makes unmatched results with the sandbox, some for each operation that ends their review. */
async function newResults(service: Service, url: string, key: string) {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const ask = async (path: string, more: object = {}) =>
    (await (await fetch(`${url}/v3/unmatched_result_test${path}`, { headers, ...more })).json()) as Record<string, string>;
  const begin = (idempotency: string) =>
    ask('', {
      method: 'POST',
      body: JSON.stringify({ case: 'match_demo', order_source: 'managed' }),
      headers: { ...headers, 'x-idempotency-key': idempotency },
    });
  const runs = (await Promise.all(many((number) => String(number)).map(begin))).map(({ run_id }) => run_id!);
  await service.jobs.advanceTo(service.clock.now() + RUN_MS);
  const ids = (await Promise.all(runs.map((run) => ask(`/${run}`)))).map(({ raw_result_id }) => raw_result_id!);
  return { runs, pending: ids.slice(0, 10), accepted: ids.slice(10, 30), resolved: ids.slice(30) };
}
