import type { Recorder } from './control-recorder.ts';
import type { ExampleTeam } from './team-control-examples.ts';

const patient = {
  patient_details: {
    first_name: 'Jo',
    last_name: 'Doe',
    dob: '1980-02-03',
    gender: 'female',
    email: 'jo@example.com',
    phone_number: '+16025550123',
  },
  patient_address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
};

interface Given extends ExampleTeam {
  readonly user_id: string;
}

export async function labExamples({ section, control, call }: Recorder, { user_id, api_key }: Given): Promise<void> {
  section('Lab orders');
  const found = await call(api_key, 'GET /v3/lab_test?name=blood%20count');
  const order_set = { lab_test_ids: [found.data[0].id] };
  const { order } = await call(api_key, 'POST /v3/order', { user_id, order_set, ...patient });
  const order_id = order.id;
  await control(
    'POST /orders/script',
    {
      order_id,
      interpretation: 'critical',
      result_types: ['numeric'],
      has_missing_results: false,
      steps: [
        { status: 'requisition_created', after: 60 },
        { status: 'partial_results', after: 86_400 },
        { status: 'completed', after: 3600 },
      ],
    },
    { title: 'Partial results first, then critical ones' },
  );
  const hemolyzed = { status: 'sample_error', after: 86_400, status_detail: 'sample_hemolyzed' };
  await control(
    'POST /orders/script',
    { order_id, steps: [{ status: 'requisition_created' }, hemolyzed] },
    { title: 'An order that fails' },
  );

  section('Lab reports');
  await control(
    'POST /reports/script',
    { user_id, outcome: { kind: 'failed', failure_reason: 'low_quality' } },
    { title: 'The job fails' },
  );
  await control(
    'POST /reports/script',
    { user_id, outcome: { kind: 'completed', data: report } },
    { title: 'The job finds a result' },
  );
}

const loinc = {
  loinc_code: '2276-4',
  loinc_name: 'Ferritin [Mass/volume] in Serum or Plasma',
  display_name: 'Ferritin',
  aliases: ['Serum ferritin'],
  confidence_score: 0.93,
};

const report = {
  metadata: {
    patient_first_name: 'Jo',
    patient_last_name: 'Doe',
    dob: '1980-02-03',
    gender: 'female',
    lab_name: 'Riverside Diagnostics',
    date_collected: '2026-01-28',
    date_reported: '2026-01-30',
    specimen_number: 'S0123456',
  },
  results: [
    {
      test_name: 'Ferritin',
      value: '12',
      type: 'numeric',
      units: 'ng/mL',
      min_reference_range: 15,
      max_reference_range: 150,
      is_below_min_range: true,
      is_above_max_range: false,
      interpretation: 'abnormal',
      sample_type: 'serum_plasma_blood',
      measurement_kind: 'direct',
      sensitivity: 'unknown',
      source_panel_name: 'Vitamins and Iron',
      loinc_matches: [loinc],
      loinc_match_status: 'auto_match',
    },
  ],
};
