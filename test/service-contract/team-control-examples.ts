import type { Recorder } from './control-recorder.ts';

/** The team of the further examples. */
export interface ExampleTeam {
  readonly team_id: string;
  readonly api_key: string;
}

export async function teamExamples({ section, control }: Recorder): Promise<ExampleTeam> {
  section('Organizations and teams');
  const { org_id } = await control('POST /organizations', { name: 'clinic', plan: 'grow', as_of: '2025-11-01' });
  await control('GET /organizations');
  await control('POST /organizations/{org_id}/plan', { org_id, plan: 'scale' });
  await control('POST /organizations/{org_id}/keys', { org_id });
  const { team_id, api_key } = await control('POST /teams', {
    name: 'north',
    org_id,
    region: 'eu',
    generation: 'current',
    as_of: '2026-01-01',
    payload_limit: 65_536,
    partial_webhooks_enabled: true,
  });
  await control('GET /teams');
  await control('POST /teams/{team_id}/keys', { team_id });
  await control('POST /teams/{team_id}/management_keys', { team_id });
  await control('POST /teams/{team_id}/betas', { team_id, operation: 'import_order', enabled: true });
  return { team_id, api_key };
}
