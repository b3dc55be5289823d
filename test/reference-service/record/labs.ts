import type { Answers } from './answers.ts';
import { historyRows, orderRow } from './lab-order-rows.ts';
import { type Answered, type Row, rowOf, time } from './row.ts';

/** The rows that the tables about labs must have, computed from the answers of the service's API. */

/** The answers of the service about labs. */
export interface LabRecord {
  readonly team_id: string;
  /** The client user ids by user. */
  readonly clientIds: ReadonlyMap<string, string>;
  readonly orders: readonly Answered[];
  /** The results by order. Orders without results are missing. */
  readonly results: ReadonlyMap<string, Answered>;
  /** The last appointments by order. */
  readonly appointments: ReadonlyMap<string, Answered>;
  readonly reviews: readonly Answered[];
  readonly labTests: readonly Answered[];
  readonly markers: readonly Answered[];
}

/** Returns all elements of a list. Throws if the list has more than one page. */
async function wholeList(answers: Answers, path: string, name: string): Promise<Answered[]> {
  const { [name]: list, total } = await answers.get(path);
  if (list.length !== total) throw new Error(`The record needs all ${name} in one page.`);
  return list;
}

export async function labRecord(answers: Answers): Promise<LabRecord> {
  const users = await wholeList(answers, '/v2/user?limit=500', 'users');
  const orders = await wholeList(answers, '/v3/orders?size=100', 'orders');
  const [results, appointments] = [new Map<string, Answered>(), new Map<string, Answered>()];
  for (const { id, details } of orders) {
    const answer = await answers.find(`/v3/order/${id}/result`);
    if (answer !== undefined) results.set(id, answer);
    const name = { at_home_phlebotomy: 'phlebotomy', walk_in_test: 'psc' }[String(details.type)];
    const appointment = name === undefined ? undefined : await answers.find(`/v3/order/${id}/${name}/appointment`);
    if (appointment !== undefined) appointments.set(id, appointment);
  }
  const list = async (path: string) => (await answers.pages(path)).flatMap(({ data }) => data);
  return {
    team_id: users[0].team_id,
    clientIds: new Map(users.map(({ user_id, client_user_id }) => [user_id, client_user_id])),
    orders,
    results,
    appointments,
    reviews: await list('/v3/unmatched_result'),
    labTests: await list('/v3/lab_test?lab_test_limit=100&generation_method=all'),
    markers: await wholeList(answers, '/v3/lab_tests/markers?size=100', 'markers'),
  };
}

/** Returns the rows of the tables about labs, except those of reports, which have no list. */
export function labRows({ team_id, clientIds, orders, results, appointments, reviews, labTests, markers }: LabRecord) {
  const withResults = orders.filter(({ id }) => results.has(id)).map((one): [Answered, Answered] => [one, results.get(one.id)]);
  const critical = withResults.filter(([{ interpretation }]) => interpretation === 'critical');
  const withAppointment = orders.filter(({ id }) => appointments.has(id));
  return new Map([
    ['lab_orders', orders.map((one) => orderRow(one, clientIds))],
    ['lab_order_history', orders.flatMap(historyRows)],
    ['lab_results', withResults.map(([order, answer]) => resultsRow(order, answer))],
    ['lab_results_items', withResults.flatMap(([order, answer]) => itemRows(order, answer))],
    ['lab_results_missing', withResults.flatMap(([order, answer]) => missingRows(order, answer))],
    ['lab_critical_results', critical.map(([order, answer]) => criticalRow(order, answer, clientIds))],
    ['lab_appointments', withAppointment.map((one) => appointmentRow(one, appointments.get(one.id), clientIds))],
    ['lab_match_reviews', reviews.map((one) => reviewRow({ team_id, client_user_id: clientIds.get(one.resolved_user_id) }, one))],
    ['lab_tests', labTests.map(labTestRow)],
    ['lab_markers', markers.map(markerRow)],
  ]);
}

/** The row of `lab_results`, without the results. */
function resultsRow({ id: order_id, user_id }: Answered, { metadata, ...answer }: Answered): Row {
  const { status, interpretation, date_reported, date_collected, date_received, laboratory, account_id } = metadata;
  return {
    event_type: 'service.lab_result.fetched',
    team_id: null,
    user_id,
    client_user_id: null,
    order_id,
    status,
    interpretation,
    date_reported,
    date_collected,
    date_received,
    laboratory,
    account_id,
    reported_at: null,
    collected_at: null,
    received_at: null,
    clia_number: metadata['clia_#'],
    sample_information: answer.sample_information,
    order_transaction: answer.order_transaction,
  };
}

/** The rows of `lab_results_items`. */
function itemRows({ id: order_id, user_id }: Answered, { results }: Answered): Row[] {
  return results.map((one: Answered, index: number) => ({
    user_id,
    order_id,
    ordinal: index + 1,
    name: one.name,
    slug: one.slug,
    result: one.result,
    result_type: one.type,
    ...numbersOf(one),
    legacy_value: null,
    unit: one.unit,
    taken_at: time(one.timestamp),
    notes: one.notes,
    reference_range: one.reference_range,
    reference_low: one.min_range_value,
    reference_high: one.max_range_value,
    is_above_max_range: one.is_above_max_range,
    is_below_min_range: one.is_below_min_range,
    interpretation: one.interpretation,
    source_interpretation: one.source_interpretation,
    loinc: one.loinc,
    loinc_slug: one.loinc_slug,
    lab_code: one.provider_id,
    source_markers: one.source_markers,
    performing_laboratory: one.performing_laboratory,
    source_sample_id: one.source_sample_id,
  }));
}

/** The numbers in a result such as `5.2`, `<0.5`, `0-5` or `-2 to 3`. A code or a remark has none. */
function numbersOf({ type, result }: Answered): Row {
  const none = { result_number: null, result_sign: null, result_low: null, result_high: null };
  if (type === 'comment' || type === 'coded_value') return none;
  const [low, high] = result.split(/ to |(?<=\d)-/).map(Number);
  if (high !== undefined) return { ...none, result_low: low, result_high: high };
  const sign = ['<', '>'].find((one) => result.startsWith(one)) ?? null;
  return { ...none, result_number: Number(result.slice(sign?.length ?? 0)), result_sign: sign };
}

/** The rows of `lab_results_missing`. */
function missingRows({ id: order_id, user_id }: Answered, { missing_results }: Answered): Row[] {
  return missing_results.map(
    ({ name, slug, inferred_failure_type, note, loinc, loinc_slug, provider_id }: Answered, index: number) => ({
      user_id,
      order_id,
      ordinal: index + 1,
      name,
      slug,
      inferred_failure_type,
      note,
      loinc,
      loinc_slug,
      provider_id,
    }),
  );
}

function appointmentRow({ user_id, team_id }: Answered, data: Answered, clientIds: ReadonlyMap<string, string>): Row {
  const event_type = `labtest.appointment.${data.events.length === 1 ? 'created' : 'updated'}`;
  return rowOf('lab_appointments', { event_type, team_id, user_id, client_user_id: clientIds.get(user_id), data });
}

/** The row of `lab_match_reviews`. The events have a part of the review only. A result that nobody has got has no user. */
function reviewRow(subject: Row, review: Answered): Row {
  const { id, status, decision_code, sub_reason_codes, resolution_action, resolved_user_id, resolved_order_id } = review;
  const data = { id, status, decision_code, sub_reason_codes, resolution_action, resolved_user_id, resolved_order_id };
  const event_type = `labtest.match_review.${resolution_action === null ? 'created' : 'updated'}`;
  return rowOf('lab_match_reviews', { ...subject, event_type, user_id: resolved_user_id ?? '', data });
}

/** The row of `lab_report_parsing_jobs`, of a job that has changed since it began. */
export function reportRow(subject: Row, data: Answered): Row {
  return rowOf('lab_report_parsing_jobs', { event_type: 'lab_report.parsing_job.updated', ...subject, data });
}

/** The row of `lab_critical_results`. */
function criticalRow(order: Answered, { metadata }: Answered, clientIds: ReadonlyMap<string, string>): Row {
  const { id: order_id, user_id, team_id, sample_id } = order;
  return {
    event_type: 'labtest.result.critical',
    team_id,
    user_id,
    client_user_id: clientIds.get(user_id),
    order_id,
    sample_id,
    data_user_id: user_id,
    data_team_id: team_id,
    status: metadata.status,
    interpretation: metadata.interpretation,
    created_at: time(order.created_at),
    updated_at: time(order.updated_at),
    extra: null,
  };
}

const polled = { team_id: null, user_id: '', client_user_id: null };

/** The row of `lab_tests`. */
function labTestRow({
  id,
  name,
  slug,
  sample_type,
  method,
  price,
  is_active,
  status,
  fasting,
  lab,
  markers,
  ...more
}: Answered): Row {
  return {
    event_type: 'service.lab_test.polled',
    ...polled,
    id,
    name,
    slug,
    description: null,
    sample_type,
    method,
    price,
    is_active,
    status,
    fasting,
    lab,
    markers,
    extra: Object.fromEntries(Object.entries(more).map(([member, value]) => [`data.${member}`, value])),
  };
}

/** The row of `lab_markers`. */
function markerRow({ id, provider_id, type, ...members }: Answered): Row {
  const { name, slug, description, lab_id, unit, price, a_la_carte_enabled, common_tat_days, worst_case_tat_days } = members;
  const { is_orderable, aoe, expected_results } = members;
  return {
    event_type: 'service.marker.polled',
    ...polled,
    marker_id: String(id),
    name,
    slug,
    description,
    lab_id,
    lab_code: provider_id,
    marker_type: type,
    unit,
    price,
    a_la_carte_enabled,
    common_tat_days,
    worst_case_tat_days,
    is_orderable,
    aoe,
    expected_results,
    extra: null,
  };
}
