/**
 * Lab events as the service sends them, with invented values. Members that identify a person contain {@link IDENTITY},
 * and free text contains {@link WORDS}, so that tests can search for them.
 */

export const IDENTITY = 'Wilhelmine-Identity';
export const WORDS = 'words-of-somebody';
/** Part of signed URLs, which are secrets. */
export const SIGNATURE = 'X-Signature-f00d';

export const user = '5a3f0000-0000-4000-8000-000000000001';

export const envelope = (event_type: string, data: unknown) => ({
  event_type,
  user_id: user,
  team_id: 'team-1',
  client_user_id: 'client-1',
  data,
});

const at = (time: string): string => `2026-03-${time}+00:00`;

const address = {
  first_line: `${IDENTITY} street 7`,
  second_line: null,
  city: IDENTITY,
  state: 'AZ',
  zip: IDENTITY,
  country: 'US',
  access_notes: IDENTITY,
};

export const order = {
  id: 'order-1',
  user_id: user,
  team_id: 'team-1',
  sample_id: 'SAMPLE-1',
  status: 'sample_with_lab',
  created_at: at('01T09:00:00.000001'),
  updated_at: at('09T11:30:00.25'),
  last_event: {
    id: 44,
    created_at: at('09T11:30:00'),
    status: 'sample_with_lab.testkit.delivered_to_lab',
    status_detail: 'sample_hemolyzed',
  },
  events: [
    { id: 41, created_at: at('01T09:00:00.000001'), status: 'received.testkit.ordered', status_detail: null },
    { id: 43, created_at: at('05T08:00:00'), status: 'collecting_sample.testkit.with_customer' },
    {
      id: 44,
      created_at: at('09T11:30:00'),
      status: 'sample_with_lab.testkit.delivered_to_lab',
      status_detail: 'sample_hemolyzed',
    },
  ],
  lab_test: {
    id: 'test-1',
    slug: 'lipids',
    name: 'Lipids',
    sample_type: 'dried_blood_spot',
    method: 'testkit',
    price: 59.5,
    is_active: true,
    status: 'active',
    fasting: true,
    is_delegated: false,
    auto_generated: false,
    has_collection_instructions: null,
    common_tat_days: 3,
    worst_case_tat_days: 9,
    markers: [{ id: 7, name: 'HDL', slug: 'hdl', aoe: { questions: [] } }],
    lab: {
      id: 12,
      slug: 'good_lab',
      name: 'Good Lab',
      first_line_address: '1 Lab Road',
      city: 'Tucson',
      zipcode: '85701',
      collection_methods: ['testkit'],
      sample_types: ['dried_blood_spot'],
      logo_url: null,
    },
  },
  details: {
    type: 'testkit',
    data: {
      id: 'kit-1',
      created_at: at('01T09:00:01'),
      updated_at: at('09T11:30:01'),
      shipment: {
        id: 'shipment-1',
        outbound_tracking_number: `1Z${IDENTITY}`,
        outbound_tracking_url: `https://courier.example/${IDENTITY}`,
        inbound_tracking_number: `2Z${IDENTITY}`,
        inbound_tracking_url: `https://courier.example/in/${IDENTITY}`,
        outbound_courier: 'usps',
        inbound_courier: 'ups',
        notes: WORDS,
      },
    },
  },
  patient_details: {
    first_name: IDENTITY,
    last_name: IDENTITY,
    dob: `1990-01-01 ${IDENTITY}`,
    gender: 'female',
    phone_number: IDENTITY,
    email: `${IDENTITY}@example.org`,
    medical_proxy: { first_name: IDENTITY, last_name: IDENTITY, address, phone_number: IDENTITY },
  },
  patient_address: { ...address, receiver_name: IDENTITY },
  shipping_details: { ...address, receiver_name: IDENTITY, phone_number: IDENTITY },
  physician: { first_name: IDENTITY, last_name: IDENTITY, npi: IDENTITY },
  health_insurance_id: `insurance-${IDENTITY}`,
  health_insurace_id: `insurance-${IDENTITY}`,
  requisition_form_url: `https://forms.example/${IDENTITY}?${SIGNATURE}`,
  notes: WORDS,
  clinical_notes: WORDS,
  passthrough: WORDS,
  priority: true,
  activate_by: '2026-03-02',
  billing_type: 'client_bill',
  icd_codes: ['E78.5', 'Z00.00'],
  has_abn: false,
  interpretation: 'abnormal',
  has_missing_results: true,
  expected_result_by_date: '2026-03-12',
  worst_case_result_by_date: '2026-03-18',
  origin: 'redraw',
  order_transaction: {
    id: 'transaction-1',
    status: 'active',
    orders: [
      {
        id: 'order-0',
        low_level_status: 'sample_error',
        low_level_status_created_at: at('01T08:59:00'),
        origin: 'initial',
        parent_id: null,
        created_at: at('01T08:00:00'),
        updated_at: at('01T08:59:00'),
      },
      {
        id: 'order-1',
        low_level_status: 'delivered_to_lab',
        origin: 'redraw',
        parent_id: 'order-0',
        created_at: at('01T09:00:00'),
        updated_at: at('09T11:30:00'),
      },
    ],
  },
  // The service may add unknown members. This one could identify a person.
  guardian_name: IDENTITY,
};

export const appointment = {
  id: 'appointment-1',
  user_id: user,
  order_id: 'order-2',
  order_transaction_id: 'transaction-2',
  address: { first_line: IDENTITY, second_line: null, city: IDENTITY, state: 'AZ', zip_code: IDENTITY, access_notes: IDENTITY },
  location: { lng: -110.926479, lat: 32.221743 },
  // The service sends these times in UTC without an offset.
  start_at: '2026-04-01T15:00:00',
  end_at: '2026-04-01T17:00:00.500',
  iana_timezone: 'America/Phoenix',
  type: 'phlebotomy',
  provider: 'getlabs',
  provider_id: 'G-17',
  external_id: null,
  status: 'confirmed',
  can_reschedule: true,
  appointment_notes: WORDS,
  event_status: 'scheduled',
  event_data: { origin: 'patient', remark: WORDS },
  events: [
    { created_at: at('28T10:00:00'), status: 'pending', data: null },
    { created_at: at('28T12:00:00'), status: 'scheduled', data: { remark: WORDS } },
  ],
  phlebotomist: IDENTITY,
};

export const criticalResult = {
  order_id: 'order-1',
  sample_id: 'SAMPLE-1',
  status: 'partial',
  interpretation: 'critical',
  team_id: 'team-1',
  user_id: user,
  created_at: at('10T08:00:00.5'),
  updated_at: at('10T09:00:00'),
};

export const matchReview = {
  id: 'review-1',
  status: 'pending_customer_review',
  decision_code: 'multiple_demo_match',
  sub_reason_codes: ['lab_account_mismatch'],
  resolution_action: null,
  resolved_user_id: null,
  resolved_order_id: null,
};

export const parsingJob = {
  id: 'job-1',
  status: 'completed',
  failure_reason: null,
  needs_human_review: true,
  is_reviewed: false,
  data: {
    metadata: {
      patient_first_name: IDENTITY,
      patient_last_name: IDENTITY,
      dob: `1990-01-01 ${IDENTITY}`,
      gender: 'female',
      lab_name: 'Old Lab',
      date_reported: '2025-11-02',
      date_collected: 'about October',
      specimen_number: IDENTITY,
      address: IDENTITY,
    },
    results: [
      {
        test_name: 'Ferritin',
        value: '8.5',
        type: 'numeric',
        units: 'ng/mL',
        min_reference_range: 15,
        max_reference_range: 150.5,
        is_below_min_range: true,
        is_above_max_range: false,
        interpretation: 'abnormal',
        sample_type: 'serum_plasma_blood',
        measurement_kind: 'direct',
        sensitivity: 'unknown',
        source_panel_name: 'Iron',
        loinc_match_status: 'auto_match',
        loinc_matches: [
          { loinc_code: '2276-4', loinc_name: 'Ferritin', display_name: 'Ferritin', aliases: [], confidence_score: 0.75 },
        ],
      },
      { test_name: 'Appearance', value: 'clear', type: null, units: null, loinc_matches: null },
    ],
  },
};

export const queryChanges = [
  { query_id: 'query-1', query_slug: 'weekly-steps', data: { week: ['2026-03-23', '2026-03-30'], steps: [70123, 64001.5] } },
  { query_id: 'query-2', query_slug: 'none', data: {} },
];

export const device = {
  id: 'device-1',
  user_id: user,
  provider: 'apple_health_kit',
  source_type: 'watch',
  app_id: 'com.example.health',
  device_manufacturer: 'Good Watches',
  device_model: 'W3',
  device_version: '3.1',
  device_id: `serial-${IDENTITY}`,
};
