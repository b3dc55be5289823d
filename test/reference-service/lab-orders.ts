import type { Ask } from './record/rare-data.ts';

/** The patient of all orders. */
export const patient = {
  patient_details: {
    first_name: 'Planted',
    last_name: 'Patient',
    dob: '1980-02-03',
    gender: 'female',
    phone_number: '+16025550123',
    email: 'planted@example.com',
  },
  patient_address: { first_line: 'Planted Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
};

/** A course of low levels, each so many seconds after the one before. */
export const courseOf = (...all: [status: string, seconds: number, detail?: string | undefined][]) => ({
  steps: all.map(([status, after, status_detail = null]) => ({ status, after: Math.round(after), status_detail })),
});

const HOUR_S = 3_600;
const drawn: [string, number][] = [
  ['requisition_created', HOUR_S],
  ['draw_completed', HOUR_S],
];

/** Scripts of orders that have ended after 12 hours. */
const scripts = [
  {
    interpretation: 'critical',
    ...courseOf(...drawn, ['partial_results', 3 * HOUR_S], ['completed', 4 * HOUR_S], ['corrected', 2 * HOUR_S]),
  },
  { interpretation: 'abnormal', has_missing_results: true, ...courseOf(...drawn, ['completed', 7 * HOUR_S]) },
  courseOf(...drawn, ['partial_results', 9 * HOUR_S]),
  courseOf(['requisition_created', 2 * HOUR_S], ['sample_error', 3 * HOUR_S, 'sample_hemolyzed']),
];

/** Orders a lab test for each script: one has critical results, one lacks results, one has only partial results, one fails. */
export async function orderLabTests(user_id: string, ask: Ask, steer: Ask): Promise<void> {
  const { data } = (await ask('/v3/lab_test?lab_test_limit=100&status=active')) as {
    data: { id: string; method: string; markers: { aoe: unknown }[] }[];
  };
  const { id } = data.find(({ method, markers }) => method === 'on_site_collection' && markers.every(({ aoe }) => aoe === null))!;
  for (const script of scripts) {
    const made = (await ask('/v3/order', { user_id, order_set: { lab_test_ids: [id] }, ...patient })) as {
      order: { id: string };
    };
    await steer('/orders/script', { order_id: made.order.id, ...script });
  }
}
