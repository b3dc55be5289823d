/** The rows that the tables about labs must have, computed from the answers of the service's API. */

// biome-ignore lint/suspicious/noExplicitAny: the members of the answers are compared one by one.
export type Answered = any;
export type Row = Readonly<Record<string, unknown>>;

/** Writes a time as `aorta query` does: in UTC, with a fraction of 6 digits or none. */
function time(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return new Date(Date.parse(text))
    .toISOString()
    .replace('.000Z', 'Z')
    .replace(/\.(\d{3})Z$/, '.$1000Z');
}

/** The row of `lab_orders`. Members that identify a patient have no columns. `clientIds` has the client user ids by user. */
export function orderRow(order: Answered, clientIds: ReadonlyMap<string, string>): Row {
  const { lab_test: test, details, last_event: last, order_transaction: transaction } = order;
  const shipment = details.data.shipment ?? {};
  return {
    event_type: order.events.length === 1 ? 'labtest.order.created' : 'labtest.order.updated',
    team_id: order.team_id,
    user_id: order.user_id,
    client_user_id: clientIds.get(order.user_id),
    id: order.id,
    data_user_id: order.user_id,
    data_team_id: order.team_id,
    sample_id: order.sample_id,
    status: order.status,
    last_event_id: last.id,
    last_event_at: time(last.created_at),
    last_event_status: last.status,
    last_event_status_detail: last.status_detail,
    events: order.events.map(({ id, created_at, status, status_detail }: Answered) => ({
      ...{ event_id: id, created_at: time(created_at), status, status_detail },
    })),
    lab_test_id: test.id,
    lab_test_slug: test.slug,
    lab_test_name: test.name,
    lab_test_sample_type: test.sample_type,
    lab_test_method: test.method,
    lab_test_price: test.price,
    lab_test_is_active: test.is_active,
    lab_test_status: test.status,
    lab_test_fasting: test.fasting,
    lab_test_is_delegated: test.is_delegated,
    lab_test_auto_generated: test.auto_generated,
    lab_test_has_collection_instructions: test.has_collection_instructions,
    lab_test_common_tat_days: test.common_tat_days,
    lab_test_worst_case_tat_days: test.worst_case_tat_days,
    lab_test_markers: test.markers,
    lab_id: test.lab.id,
    lab_slug: test.lab.slug,
    lab_name: test.lab.name,
    lab_first_line_address: test.lab.first_line_address,
    lab_city: test.lab.city,
    lab_zipcode: test.lab.zipcode,
    lab_collection_methods: test.lab.collection_methods,
    lab_sample_types: test.lab.sample_types,
    lab_logo_url: test.lab.logo_url,
    details_type: details.type,
    details_id: details.data.id,
    details_created_at: time(details.data.created_at),
    details_updated_at: time(details.data.updated_at),
    details_appointment_id: details.data.appointment_id ?? null,
    shipment_id: shipment.id ?? null,
    shipment_outbound_courier: shipment.outbound_courier ?? null,
    shipment_inbound_courier: shipment.inbound_courier ?? null,
    shipment_notes: shipment.notes ?? null,
    notes: order.notes,
    clinical_notes: order.clinical_notes,
    passthrough: order.passthrough,
    priority: order.priority,
    activate_by: order.activate_by,
    billing_type: order.billing_type,
    icd_codes: order.icd_codes ?? [],
    has_abn: order.has_abn,
    interpretation: order.interpretation,
    has_missing_results: order.has_missing_results,
    expected_result_by_date: order.expected_result_by_date,
    worst_case_result_by_date: order.worst_case_result_by_date,
    order_origin: order.origin,
    order_transaction_id: transaction.id,
    order_transaction_status: transaction.status,
    order_transaction_orders: transaction.orders.map((one: Answered) => ({
      order_id: one.id,
      low_level_status: one.low_level_status,
      low_level_status_at: time(one.low_level_status_created_at),
      order_origin: one.origin,
      parent_id: one.parent_id,
      created_at: time(one.created_at),
      updated_at: time(one.updated_at),
    })),
    created_at: time(order.created_at),
    updated_at: time(order.updated_at),
  };
}

/** The rows of `lab_order_history`. */
export function historyRows({ id: order_id, user_id, events }: Answered): Row[] {
  return events.map(({ id, created_at, status, status_detail }: Answered, index: number) => {
    const [high_level, modality, low_level] = status.split('.');
    return {
      ...{ user_id, order_id, event_id: id, status, high_level, modality, low_level, status_detail },
      began_at: time(created_at),
      ended_at: time(events[index + 1]?.created_at),
    };
  });
}

/** The row of `lab_results`, without the results. */
export function resultsRow({ id: order_id, user_id }: Answered, { metadata, ...answer }: Answered): Row {
  const { status, interpretation, date_reported, date_collected, date_received, laboratory, account_id } = metadata;
  return {
    event_type: 'service.lab_result.fetched',
    team_id: null,
    user_id,
    client_user_id: null,
    order_id,
    ...{ status, interpretation, date_reported, date_collected, date_received, laboratory, account_id },
    clia_number: metadata['clia_#'],
    sample_information: answer.sample_information,
    order_transaction: answer.order_transaction,
  };
}

/** The rows of `lab_results_items`. */
export function itemRows({ id: order_id, user_id }: Answered, { results }: Answered): Row[] {
  return results.map((one: Answered, index: number) => ({
    ...{ user_id, order_id, ordinal: index + 1, name: one.name, slug: one.slug },
    ...{ result: one.result, result_type: one.type, ...numbersOf(one) },
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
export function missingRows({ id: order_id, user_id }: Answered, { missing_results }: Answered): Row[] {
  return missing_results.map(
    ({ name, slug, inferred_failure_type, note, loinc, loinc_slug, provider_id }: Answered, index: number) => ({
      ...{ user_id, order_id, ordinal: index + 1, name, slug, inferred_failure_type, note, loinc, loinc_slug, provider_id },
    }),
  );
}

/** The row of `lab_critical_results`. */
export function criticalRow(order: Answered, { metadata }: Answered, clientIds: ReadonlyMap<string, string>): Row {
  const { id: order_id, user_id, team_id, sample_id } = order;
  return {
    ...{ event_type: 'labtest.result.critical', team_id, user_id, client_user_id: clientIds.get(user_id) },
    ...{ order_id, sample_id, data_user_id: user_id, data_team_id: team_id },
    ...{ status: metadata.status, interpretation: metadata.interpretation },
    ...{ created_at: time(order.created_at), updated_at: time(order.updated_at), extra: null },
  };
}

const polled = { team_id: null, user_id: '', client_user_id: null };

/** The row of `lab_tests`. */
export function labTestRow({
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
    ...{ event_type: 'service.lab_test.polled', ...polled, id, name, slug, description: null, sample_type, method, price },
    ...{ is_active, status, fasting, lab, markers },
    extra: Object.fromEntries(Object.entries(more).map(([member, value]) => [`data.${member}`, value])),
  };
}

/** The row of `lab_markers`. */
export function markerRow({ id, provider_id, type, ...members }: Answered): Row {
  const { name, slug, description, lab_id, unit, price, a_la_carte_enabled, common_tat_days, worst_case_tat_days } = members;
  const { is_orderable, aoe, expected_results } = members;
  return {
    ...{ event_type: 'service.marker.polled', ...polled, marker_id: String(id), name, slug, description, lab_id },
    ...{ lab_code: provider_id, marker_type: type, unit, price, a_la_carte_enabled, common_tat_days, worst_case_tat_days },
    ...{ is_orderable, aoe, expected_results, extra: null },
  };
}
