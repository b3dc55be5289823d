import { timeseriesResources } from '../data/forms/sample-forms.ts';
import { summaryResources } from '../data/forms/summary-forms.ts';
import { ATTEMPT_EXHAUSTED } from './outbox.ts';

const resources = [...summaryResources, ...timeseriesResources.map(({ name }) => name), 'workout_stream'];

/** The types of events that the vendor's catalog has, and the operational ones. The service sends only some of them. */
export const eventTypes: readonly string[] = [
  ...resources.flatMap((name) => [`daily.data.${name}.created`, `daily.data.${name}.updated`, `historical.data.${name}.created`]),
  ...['provider.connection.created', 'provider.connection.error', 'provider.device.created', 'provider.device.updated'],
  ...['labtest.order.created', 'labtest.order.updated', 'labtest.appointment.created', 'labtest.appointment.updated'],
  ...['labtest.result.critical', 'labtest.match_review.created', 'labtest.match_review.updated'],
  ...['lab_report.parsing_job.created', 'lab_report.parsing_job.updated', 'continuous_query.result_table.changed'],
  ATTEMPT_EXHAUSTED,
];
