import { type Answered, type Row, time } from './row.ts';

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
