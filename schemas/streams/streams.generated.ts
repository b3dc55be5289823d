// Generated from schemas/streams/*.avsc by `npm run generate`. Do not edit.
import type { AvroRecord, StreamAttributes } from './declaration.ts';
/** Where and when the delivery was received. Every record of every stream begins with it. */
export interface Receipt {
  /** Configured name of the source. */
  source: string;
  /** Partition of the source: its number as text. For a plain event file, the hash of its content. */
  partition: string;
  /** Offset in the broker's partition, or ordinal of the event in its file. */
  offset: number;
  /** Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id. */
  received_at: number;
  /** Header `idempotency-key` or `svix-id`, if present. */
  delivery_id: string | null;
  /** Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries. */
  header_facts: number;
  /** Length of the uncompressed body. (byte) */
  body_bytes: number;
  /** CRC-32 of the uncompressed body. */
  body_crc32: number;
  /** When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at. */
  arrived_at: number | null;
}

/** The envelope of an event: the members around its data. */
export interface Envelope {
  /** Event type. */
  event_type: string;
  /** Team of the user. */
  team_id: string | null;
  /** The service's id of the user. */
  user_id: string;
  /** The customer's id of the user. */
  client_user_id: string | null;
}

/** The origin of the data according to the provider, from the current or the old form of the source object. */
export interface Source {
  /** Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing. */
  provider: string;
  /** Kind of device or origin; `unknown` if missing. */
  source_type: string;
  /** Bundle or package id of the app. */
  source_app_id: string | null;
  /** Id of the service's device record. */
  source_device_id: string | null;
  /** Sport, for workout timeseries. */
  source_sport: string | null;
  /** Id of the workout, for workout timeseries. */
  source_workout_id: string | null;
  /** Display name of the provider, in the old form. */
  source_name: string | null;
  /** URL of an icon, in the old form. */
  source_logo: string | null;
}

/** The activity of a user on one day, per source. */
export interface Activity {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** The day at 00:00 UTC. Deprecated by the service; use calendar_date. */
  date_at: number | null;
  /** The local day. */
  calendar_date: number | null;
  /** Energy spent, including the basal rate. (kcal) */
  calories_total_kcal: number | null;
  /** Energy spent through activity. (kcal) */
  calories_active_kcal: number | null;
  /** Number of steps. (count) */
  steps: number | null;
  /** Distance moved. Deprecated by the service; use distance_m. (m) */
  daily_movement_m: number | null;
  /** Distance moved. (m) */
  distance_m: number | null;
  /** Duration of low activity. (min) */
  low_min: number | null;
  /** Duration of medium activity. (min) */
  medium_min: number | null;
  /** Duration of high activity. (min) */
  high_min: number | null;
  /** Floors climbed. (count) */
  floors_climbed: number | null;
  /** IANA time zone. */
  time_zone: string | null;
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: number | null;
  /** Average heart rate. (bpm) */
  heart_rate_avg_bpm: number | null;
  /** Lowest heart rate. (bpm) */
  heart_rate_min_bpm: number | null;
  /** Highest heart rate. (bpm) */
  heart_rate_max_bpm: number | null;
  /** Resting heart rate. (bpm) */
  heart_rate_resting_bpm: number | null;
  /** Average heart rate while walking. (bpm) */
  heart_rate_avg_walking_bpm: number | null;
  /** Whether the user uses a wheelchair. */
  wheelchair_use: boolean | null;
  /** Number of wheelchair pushes. (count) */
  wheelchair_push: number | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The result of a completed backfill of one resource of a user's provider. One row per date range: the newest result. */
export interface Backfill {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event with the result. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Slug of the provider. */
  provider: string;
  /** Resource, as in event types. */
  resource: string;
  /** First requested date, YYYY-MM-DD. */
  from_day: string;
  /** Last requested date, YYYY-MM-DD. */
  to_day: string;
  /** Number of distinct summaries or samples that the backfill fetched. (count) */
  objects: number | null;
  /** When the service had answered all requests, by the service's clock. */
  finished_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A batch of blood pressure samples. Fields with a value per sample are arrays, as in timeseries. */
export interface BloodPressure {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` if the provider sends local time marked as UTC. */
  time_basis: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Number of the source in the old event format. It has no meaning. */
  data_source_id: number | null;
  /** Name, slug and logo of the provider in the old event format. */
  legacy_provider: string | null;
  /** Start of the interval, or time of the sample. */
  start_at: number[];
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: (number | null)[];
  /** Systolic pressure. (mmHg) */
  systolic_mmhg: (number | null)[];
  /** Diastolic pressure. (mmHg) */
  diastolic_mmhg: (number | null)[];
  /** The values that the service used to group the samples: source type, workout id, sport and device id. */
  grouping: (string | null)[];
  /** Type of the sample. */
  sample_type: (string | null)[];
  /** Unit of the value, as sent. */
  unit: (string | null)[];
  /** Number of the sample. Deprecated by the service. */
  sample_id: (number | null)[];
  /** Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent. */
  sample_extra: (string | null)[];
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The body measurements of a user on one day, per source. */
export interface Body {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** The day at 00:00 UTC. Deprecated by the service; use calendar_date. */
  date_at: number | null;
  /** The local day. */
  calendar_date: number | null;
  /** Weight. (kg) */
  weight_kg: number | null;
  /** Body fat percentage. (%) */
  fat_pct: number | null;
  /** Body water percentage. (%) */
  water_pct: number | null;
  /** Muscle mass percentage. (%) */
  muscle_mass_pct: number | null;
  /** Visceral fat index. */
  visceral_fat_index: number | null;
  /** Bone mass percentage. (%) */
  bone_mass_pct: number | null;
  /** Body mass index. */
  body_mass_index: number | null;
  /** Lean body mass. (kg) */
  lean_body_mass_kg: number | null;
  /** Waist circumference. (cm) */
  waist_circumference_cm: number | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A user connected a provider, or the connection broke or changed. */
export interface Connection {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Slug of the provider. */
  provider: string;
  /** Display name of the provider. */
  provider_name: string | null;
  /** URL of an icon. */
  provider_logo: string | null;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** The user's name or e-mail address at the provider. */
  external_user_id: string | null;
  /** For each resource: its status, and the scopes that the user granted or denied. */
  resource_availability: string | null;
  /** The provider object under its deprecated name, `source`. */
  legacy_source: string | null;
  /** The service's message about the error. */
  message: string | null;
  /** Kind of the error. */
  error_type: string | null;
  /** Details of the error. */
  error_details: string | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The new or changed rows of one query. */
export interface ContinuousQueryChange {
  /** Id of the query. */
  query_id: string | null;
  /** Slug of the query. */
  query_slug: string | null;
  /** The rows, as a JSON object with a list of values per column. */
  result_columns: string | null;
}

/** New or changed rows in the result tables of a user's continuous queries. */
export interface ContinuousQueryResult {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The queries with changed results. */
  changes: ContinuousQueryChange[];
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The webhook service (Svix) gave up a message after its last attempt. The endpoint did not receive the message. */
export interface DeliveryFailure {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the message that was not delivered. It equals `delivery_id` in `deliveries` if the message arrived in another way. */
  message_id: string | null;
  /** The service's id of the message. */
  message_event_id: string | null;
  /** The endpoint that did not accept the message. */
  endpoint_id: string | null;
  /** The webhook service's id of the application with the endpoint. */
  app_id: string | null;
  /** The service's id of the application. */
  app_uid: string | null;
  /** Id of the last attempt. */
  last_attempt_id: string | null;
  /** When the last attempt was made. */
  last_attempt_at: number | null;
  /** HTTP status of the endpoint's response; 0 if it did not respond. */
  last_attempt_status_code: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A device of a user, as the provider describes it. One row per device: the newest state received. */
export interface Device {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The service's id of the device. Summaries and samples refer to it as `source_device_id`. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Slug of the provider. */
  provider: string | null;
  /** Kind of the device, such as `watch`. */
  source_type: string | null;
  /** Bundle or package id of the app. */
  app_id: string | null;
  /** Manufacturer of the device. */
  device_manufacturer: string | null;
  /** Model of the device. */
  device_model: string | null;
  /** Version of the device or of its software. */
  device_version: string | null;
  /** The provider's id of the device, such as its serial number. */
  device_id: string | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** One recording of an electrocardiogram. Its voltages are samples of the timeseries resource `electrocardiogram_voltage`. */
export interface Electrocardiogram {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Start of the recording. */
  session_start: number | null;
  /** End of the recording. */
  session_end: number | null;
  /** Number of voltage samples in the recording. (count) */
  voltage_sample_count: number | null;
  /** Mean heart rate. (bpm) */
  heart_rate_mean_bpm: number | null;
  /** Sampling frequency. (Hz) */
  sampling_frequency_hz: number | null;
  /** `sinus_rhythm`, `atrial_fibrillation` or `inconclusive`. */
  classification: string | null;
  /** `high_heart_rate`, `low_heart_rate` or `poor_reading`. */
  inconclusive_cause: string | null;
  /** Version of the algorithm that classified the recording. */
  algorithm_version: string | null;
  /** IANA time zone. */
  time_zone: string | null;
  /** Slug of the provider in the data object, if the service repeats it there. */
  data_source_provider: string | null;
  /** Kind of device or origin in the data object, if the service repeats it there. */
  data_source_type: string | null;
  /** Id of the app in the data object, if the service repeats it there. */
  data_source_app_id: string | null;
  /** Id of the device record in the data object, if the service repeats it there. */
  data_source_device_id: string | null;
  /** Model of the device. */
  source_device_model: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A historical pull of a resource has succeeded. The event does not contain the pulled data. */
export interface HistoricalCompletion {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Resource of the pull, as in the event type. */
  resource: string;
  /** Slug of the provider. */
  provider: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Start of the pulled range. */
  range_start: number | null;
  /** End of the pulled range. */
  range_end: number | null;
  /** False if more parts of the pull follow. Deprecated by the service. */
  is_final: boolean | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The state of one historical pull, derived from all its evidence. */
export interface TrackedPull {
  /** Whether the pull is the current one of its resource. The board shows only current pulls. */
  is_present: boolean;
  /** When the service scheduled the pull, which identifies it. Null if introspection has not reported the pull. */
  scheduled_at: number | null;
  /** Start of the pulled range. */
  range_start: number | null;
  /** End of the pulled range. */
  range_end: number | null;
  /** `expected`, `scheduled`, `in_progress`, `retrying`, `success`, `failure` or `unknown`. */
  state: string;
  /** When the pull entered the state. */
  since: number;
  /** When the pull last made progress: it was first reported, more days had data, a part of the data arrived, or the outcome changed. */
  progressed_at: number | null;
  /** When the first temporary problem was reported. Later attempts do not reset it. Null after the pull has ended. */
  retrying_since: number | null;
  /** Status of the last answer that changed or confirmed the state, as the service spells it. */
  status: string | null;
  /** Kind of the last error, as the service spells it. */
  error_details: string | null;
  /** `retriable` or `final`. Unknown kinds are retriable until the service reports `failure`. */
  error_class: string | null;
  /** When the user connected the provider, which makes the pull expected. */
  expected_at: number | null;
  /** When the service started the pull. */
  started_at: number | null;
  /** When its last attempt ended. The pull itself may continue. */
  ended_at: number | null;
  /** Number of days with data in the range. It grows until the pull has ended. (day) */
  days_with_data: number | null;
  /** Whether its success comes from a completion event that introspection has not confirmed. */
  provisional: boolean;
  /** When a completion event arrived that may belong to this pull or to a different one. */
  perhaps_completed_at: number | null;
  /** When the provider announced the end. It does so at once, before there is any data. */
  announced_at: number | null;
  /** When the connection broke, if the user has not connected the provider again. */
  broken_at: number | null;
  /** When the service reported that the resource is not pulled, or that the connection does not provide it. */
  not_pulled_at: number | null;
  /** When the service reported a different outcome after the pull had ended. */
  contradicted_at: number | null;
  /** False if the connection is from before 9 May 2025, so that a `failure` may be temporary. Null if unknown. */
  knows_retrying: boolean | null;
  /** False if the service never reports on pulls of this provider and resource. */
  reports: boolean;
  /** When the pull entered the state, by the service's own times. Null if no answer of the service reports it. */
  service_since: number | null;
  /** End of the first attempt with a temporary problem, by the service's own times. Null after the pull has ended. */
  service_retrying_since: number | null;
  /** Trace id for requests to the service's support. Null after the pull has succeeded. */
  trace_id: string | null;
}

/** A change of a pull: to a new state, or to a new kind of error. */
export interface TrackedChange {
  /** When the pull was scheduled, which identifies it. */
  scheduled_at: number | null;
  /** Start of the range of the pull. */
  range_start: number | null;
  /** End of the range of the pull. */
  range_end: number | null;
  /** Time of the evidence for the change. */
  changed_at: number;
  /** State before the change. Null for the first change of a pull. */
  from_state: string | null;
  /** State after the change. */
  to_state: string;
  /** Event that caused the change. */
  event: string;
  /** Status as the service spells it. */
  status: string | null;
  /** Kind of the error, as the service spells it. */
  error_details: string | null;
}

/** A piece of evidence. */
export interface TrackedEvidence {
  /** Evidence time: when the event was received, or when the service answered. */
  evidence_at: number;
  /** `connected`, `connection_error`, `expected`, `unavailable`, `not_pulled`, `completed`, `completed_partly` or `told`. */
  kind: string;
  /** When the reported pull was scheduled. */
  scheduled_at: number | null;
  /** Start of the range. */
  range_start: number | null;
  /** End of the range. */
  range_end: number | null;
  /** Status as the service spells it. */
  status: string | null;
  /** When the service started the pull. */
  started_at: number | null;
  /** When the last attempt of the pull ended. */
  ended_at: number | null;
  /** Number of days with data in the range. (day) */
  days_with_data: number | null;
  /** Kind of the error. */
  error_details: string | null;
}

/** The historical pulls of a user, provider and resource, derived from all evidence. The tracker rewrites the row for each new piece of evidence. */
export interface HistoricalPullTrack {
  /** The time is that of the newest evidence. The offset is the number of pieces of evidence plus their days with data. So the track with more evidence is the newer one. */
  receipt: Receipt;
  /** Revision of the fold. A fix of the fold raises it, so that a rebuilt track replaces older ones. */
  reader: number;
  /** The service's id of the user. */
  user_id: string;
  /** Slug of the provider. */
  provider: string;
  /** Resource of the pulls. */
  resource: string;
  /** An open pull counts as stalled if it makes no progress for this long and the service has not answered about its user. (second) */
  stalled_after_s: number | null;
  /** The pulls in order. The last one is the current pull. */
  pulls: TrackedPull[];
  /** All changes of all pulls, in the order of evidence. */
  changes: TrackedChange[];
  /** The evidence of the track, in order. Answers that are equivalent to the previous one are left out. */
  evidence: TrackedEvidence[];
}

/** A historical pull, as introspection reports it. */
export interface IntrospectedPull {
  /** Slug of the provider. */
  provider: string;
  /** Resource of the pull. */
  resource: string;
  /** Status as the service spells it; empty if there is none. */
  status: string;
  /** Start of the pulled range. */
  range_start: number | null;
  /** End of the pulled range. */
  range_end: number | null;
  /** When the pull was scheduled, which identifies it. */
  scheduled_at: number | null;
  /** When the service started the pull. */
  started_at: number | null;
  /** When its last attempt ended. It is also set for a pull that the service will retry. */
  ended_at: number | null;
  /** Number of days with data in the range. (day) */
  days_with_data: number | null;
  /** Kind of the last error. */
  error_details: string | null;
  /** Version of the service that ran the pull. */
  release: string | null;
  /** Trace id for requests to the service's support. */
  trace_id: string | null;
  /** Unknown members, and times that cannot be parsed, as sent. */
  extra: string | null;
}

/** A resource that is not pulled. */
export interface ResourceNotPulled {
  /** Slug of the provider. */
  provider: string;
  /** Resource that is not pulled. */
  resource: string;
}

/** The service's answer about the historical pulls of one user. The table has the newest answer per user; the stream has all of them. */
export interface IntrospectionPoll {
  /** When the service answered, by the service's clock if known. The offset is the time of the request. */
  receipt: Receipt;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The service's id of the user. */
  user_id: string;
  /** Whether the service no longer has the user. */
  gone: boolean;
  /** When the answer becomes stale, unless a newer one arrives. */
  stale_at: number;
  /** An open pull counts as stalled if the service has not reported on it for this long. (second) */
  stalled_after_s: number;
  /** The entries under `pulled`: the last pull of each resource. */
  pulls: IntrospectedPull[];
  /** The entries under `not_pulled`: resources without a pull. */
  not_pulled: ResourceNotPulled[];
}

/** A status change of an appointment. */
export interface LabAppointmentEvent {
  /** When the appointment entered the status. */
  created_at: number | null;
  /** Status that the appointment entered. */
  status: string | null;
  /** The provider's data about the event, in any form. */
  data: string | null;
}

/** An appointment of a lab order, at the patient's home or in a service center. The service does not say when the appointment last changed, so the version that was received last is the newest. */
export interface LabAppointment {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the appointment. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Id of the order in `lab_orders`. */
  order_id: string | null;
  /** Id of the order's transaction. */
  order_transaction_id: string | null;
  /** `phlebotomy` (at home) or `patient_service_center`. */
  appointment_type: string | null;
  /** The company that carries out the appointment, such as `getlabs`. */
  provider: string | null;
  /** The provider's id of the appointment. */
  provider_id: string | null;
  /** Id of the appointment in another external system. */
  external_id: string | null;
  /** `pending`, `reserved`, `confirmed`, `in_progress`, `completed` or `cancelled`. */
  status: string | null;
  /** Status of the newest event. */
  event_status: string | null;
  /** The provider's data about the newest event, in any form. */
  event_data: string | null;
  /** All status changes of the appointment, as sent. */
  events: LabAppointmentEvent[];
  /** Start of the appointment. A time without an offset is in UTC. */
  starts_at: number | null;
  /** End of the appointment. A time without an offset is in UTC. */
  ends_at: number | null;
  /** IANA time zone of the location. */
  time_zone: string | null;
  /** Whether the appointment can be rescheduled. */
  can_reschedule: boolean | null;
  /** Address of the appointment: the patient's home or the service center. */
  address: string | null;
  /** Longitude of the location. (degree) */
  longitude_deg: number | null;
  /** Latitude of the location. (degree) */
  latitude_deg: number | null;
  /** Notes on the appointment. */
  appointment_notes: string | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A lab's report that a result is critical. One row per order and sample: the newest report. The result itself is fetched from the service. */
export interface LabCriticalResult {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the order. */
  order_id: string;
  /** Id of the sample, as in the order; empty if it was not sent. */
  sample_id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Team id in the data object, if the service repeats it there. */
  data_team_id: string | null;
  /** `final` or `partial`. */
  status: string | null;
  /** `normal`, `abnormal` or `critical`. */
  interpretation: string | null;
  /** When the service first fetched the result from the lab. */
  created_at: number | null;
  /** When the service last fetched the result from the lab. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A marker that can be ordered: a biomarker or a panel. One row per marker: the newest answer that differs from the previous one. */
export interface LabMarker {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the marker. */
  marker_id: string;
  /** Name. */
  name: string | null;
  /** Slug. */
  slug: string | null;
  /** Description. */
  description: string | null;
  /** Id of the lab. */
  lab_id: number | null;
  /** The lab's code. */
  lab_code: string | null;
  /** `biomarker` or `panel`. */
  marker_type: string | null;
  /** Unit. */
  unit: string | null;
  /** Price, as text. */
  price: string | null;
  /** Whether the marker can be ordered individually. */
  a_la_carte_enabled: boolean | null;
  /** Usual time from sample to result. (day) */
  common_tat_days: number | null;
  /** Longest time from sample to result. (day) */
  worst_case_tat_days: number | null;
  /** Whether the marker can be ordered. */
  is_orderable: boolean | null;
  /** Questions to ask when ordering, as sent. */
  aoe: string | null;
  /** Results that the marker yields, as sent. */
  expected_results: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The review of a lab result that could not be matched to an order with certainty. It may have no user. The service does not say when the review last changed, so the version that was received last is the newest. */
export interface LabMatchReview {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the review. The newest version of an id replaces the others. */
  id: string;
  /** `matched`, `pending_customer_review`, `pending_ops_review` or `resolved`. */
  status: string | null;
  /** The outcome of the matching, or why there is no match. */
  decision_code: string | null;
  /** Additional reason codes. */
  sub_reason_codes: string[];
  /** `accept`, `reject` or `unsure`. */
  resolution_action: string | null;
  /** Id of the user that the result was matched to. */
  resolved_user_id: string | null;
  /** Id of the order in `lab_orders` that the result was matched to. */
  resolved_order_id: string | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A status change of an order. */
export interface LabOrderEvent {
  /** Id of the event. */
  event_id: number | null;
  /** When the order entered the status. */
  created_at: number | null;
  /** Status: high level, modality and low level, separated by dots. */
  status: string | null;
  /** Reason, if the status is a failure. */
  status_detail: string | null;
}

/** An order of a transaction. */
export interface LabTransactionOrder {
  /** Id of the order. */
  order_id: string | null;
  /** Low level of the status. */
  low_level_status: string | null;
  /** When the order entered this status. */
  low_level_status_at: number | null;
  /** `initial`, `redraw` or `recreation`. */
  order_origin: string | null;
  /** Id of the order that it replaces. */
  parent_id: string | null;
  /** When the order was created. */
  created_at: number | null;
  /** When the order last changed. */
  updated_at: number | null;
}

/** An order of a lab test, from its creation to its results. One row per order: the newest version. The results are fetched from the service. */
export interface LabOrder {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the order. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Team id in the data object, if the service repeats it there. */
  data_team_id: string | null;
  /** Id of the sample, as in lab results and critical results. */
  sample_id: string | null;
  /** High-level status. Deprecated by the service; use last_event_status. */
  status: string | null;
  /** Id of the newest event in the order's history. */
  last_event_id: number | null;
  /** When the order entered its current status. */
  last_event_at: number | null;
  /** Current status: high level, modality and low level, separated by dots. */
  last_event_status: string | null;
  /** Reason for the status, if the status is a failure. */
  last_event_status_detail: string | null;
  /** All status changes of the order, as sent. */
  events: LabOrderEvent[];
  /** Id of the ordered test. */
  lab_test_id: string | null;
  /** Slug of the test. */
  lab_test_slug: string | null;
  /** Name of the test. */
  lab_test_name: string | null;
  /** Type of sample, such as `serum`. */
  lab_test_sample_type: string | null;
  /** Collection method: `testkit`, `walk_in_test`, `at_home_phlebotomy` or `on_site_collection`. */
  lab_test_method: string | null;
  /** Price of the test. */
  lab_test_price: number | null;
  /** Whether the test can be ordered. Deprecated by the service; use lab_test_status. */
  lab_test_is_active: boolean | null;
  /** `active`, `pending_approval` or `inactive`. */
  lab_test_status: string | null;
  /** Whether the test requires fasting. */
  lab_test_fasting: boolean | null;
  /** Always false. Deprecated by the service. */
  lab_test_is_delegated: boolean | null;
  /** Whether the service created the test for this order. */
  lab_test_auto_generated: boolean | null;
  /** Whether the test has collection instructions. */
  lab_test_has_collection_instructions: boolean | null;
  /** Usual time from sample to result. (day) */
  lab_test_common_tat_days: number | null;
  /** Longest time from sample to result. (day) */
  lab_test_worst_case_tat_days: number | null;
  /** The markers that the test measures, as sent. */
  lab_test_markers: string | null;
  /** Id of the lab. */
  lab_id: number | null;
  /** Slug of the lab. */
  lab_slug: string | null;
  /** Name of the lab. */
  lab_name: string | null;
  /** Address of the lab. */
  lab_first_line_address: string | null;
  /** City of the lab. */
  lab_city: string | null;
  /** Postal code of the lab. */
  lab_zipcode: string | null;
  /** Collection methods that the lab offers. */
  lab_collection_methods: string | null;
  /** Types of samples that the lab accepts. */
  lab_sample_types: string | null;
  /** URL of an icon of the lab. */
  lab_logo_url: string | null;
  /** Modality of the order: `walk_in_test`, `testkit`, `at_home_phlebotomy` or `on_site_collection`. It determines which other details exist. */
  details_type: string | null;
  /** Id of the order within its modality. */
  details_id: string | null;
  /** When the order within its modality was created. */
  details_created_at: number | null;
  /** When the order within its modality last changed. */
  details_updated_at: number | null;
  /** Id of the appointment in `lab_appointments`, for walk-in tests and at-home phlebotomy. */
  details_appointment_id: string | null;
  /** Id of the shipment of a test kit. */
  shipment_id: string | null;
  /** Courier of the shipment to the customer. */
  shipment_outbound_courier: string | null;
  /** Tracking number of the shipment to the customer. It reveals name and address. */
  shipment_outbound_tracking_number: string | null;
  /** URL of the tracking page of the shipment to the customer. */
  shipment_outbound_tracking_url: string | null;
  /** Courier of the shipment to the lab. */
  shipment_inbound_courier: string | null;
  /** Tracking number of the shipment to the lab. */
  shipment_inbound_tracking_number: string | null;
  /** URL of the tracking page of the shipment to the lab. */
  shipment_inbound_tracking_url: string | null;
  /** Notes on the shipment. */
  shipment_notes: string | null;
  /** Name, birth date, gender, telephone number, e-mail address, proxy and more of the patient. */
  patient_details: string | null;
  /** Address of the patient. */
  patient_address: string | null;
  /** Shipping address of an unregistered test kit. */
  shipping_details: string | null;
  /** Name and number of the physician. */
  physician: string | null;
  /** The service's id of the patient's health insurance. */
  health_insurance_id: string | null;
  /** The same id under the misspelt name that the service sometimes sends. */
  health_insurace_id: string | null;
  /** Signed URL of the requisition form. Deprecated by the service. */
  requisition_form_url: string | null;
  /** Notes on the order. */
  notes: string | null;
  /** Clinical notes on the order. */
  clinical_notes: string | null;
  /** Data of the customer that the service passes through. */
  passthrough: string | null;
  /** Whether the order is urgent. */
  priority: boolean | null;
  /** Day on which a scheduled order is processed. */
  activate_by: number | null;
  /** Payer: `client_bill`, `commercial_insurance`, `patient_bill_passthrough` or `patient_bill`. */
  billing_type: string | null;
  /** Diagnoses under which the order is billed, as ICD-10 codes. */
  icd_codes: string[];
  /** Whether there is an Advanced Beneficiary Notice. */
  has_abn: boolean | null;
  /** Interpretation of the results: `normal`, `abnormal`, `critical` or `unknown`. */
  interpretation: string | null;
  /** Whether results of markers are missing. */
  has_missing_results: boolean | null;
  /** Date when results usually arrive. */
  expected_result_by_date: number | null;
  /** Latest date when results arrive. */
  worst_case_result_by_date: number | null;
  /** Reason for the order: `initial`, `redraw` or `recreation`. */
  order_origin: string | null;
  /** Id of the transaction of the order and its redraws. */
  order_transaction_id: string | null;
  /** `active`, `completed` or `cancelled`. */
  order_transaction_status: string | null;
  /** The orders of the transaction, including this one. */
  order_transaction_orders: LabTransactionOrder[];
  /** When the order was created. */
  created_at: number | null;
  /** When the order last changed. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A result that was found in a lab report. */
export interface LabReportResult {
  /** Name of the test. */
  test_name: string | null;
  /** The value, as text. */
  value: string | null;
  /** Type of the value: `numeric`, `range`, `comment`, `boolean`, `duration`, `percentage` or `ratio`. */
  value_type: string | null;
  /** Unit of the value, as found in the report. */
  units: string | null;
  /** Lower end of the reference range, in the result's unit. */
  min_reference_range: number | null;
  /** Upper end of the reference range, in the result's unit. */
  max_reference_range: number | null;
  /** Whether the value is below the range. */
  is_below_min_range: boolean | null;
  /** Whether the value is above the range. */
  is_above_max_range: boolean | null;
  /** `normal`, `abnormal`, `critical` or `unknown`. */
  interpretation: string | null;
  /** Type of sample. */
  sample_type: string | null;
  /** `direct`, `calculated`, `ratio` or `unknown`. */
  measurement_kind: string | null;
  /** Whether the test is sensitive. */
  sensitivity: string | null;
  /** Panel of the report that contains the result. */
  source_panel_name: string | null;
  /** `auto_match`, `needs_review` or `no_match`. */
  loinc_match_status: string | null;
  /** Possible LOINC codes, with a confidence for each. */
  loinc_matches: string | null;
}

/** A job that parses a lab report which a user has uploaded, with the results found in it. The service does not say when the job last changed, so the version that was received last is the newest. */
export interface LabReportParsingJob {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the job. The newest version of an id replaces the others. */
  id: string;
  /** `upload_pending`, `started`, `completed` or `failed`. */
  status: string | null;
  /** Why the job failed, such as `low_quality`. */
  failure_reason: string | null;
  /** Whether a person must review the result. */
  needs_human_review: boolean | null;
  /** Whether a person has reviewed the result. */
  is_reviewed: boolean | null;
  /** First name of the patient, as found in the report. */
  patient_first_name: string | null;
  /** Last name of the patient, as found in the report. */
  patient_last_name: string | null;
  /** Birth date, as found in the report. */
  patient_birth_date: string | null;
  /** `male`, `female` or `other`. */
  patient_gender: string | null;
  /** The lab that issued the report. */
  lab_name: string | null;
  /** Date of the report, as found in the report: text without a fixed format. */
  date_reported: string | null;
  /** Date of the sample, as found in the report: text without a fixed format. */
  date_collected: string | null;
  /** The lab's number of the sample. */
  specimen_number: string | null;
  /** The results, in the order of the report. */
  results: LabReportResult[];
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** One result of an order. */
export interface LabResultItem {
  /** Name of the result. */
  name: string | null;
  /** Slug of the result. */
  slug: string | null;
  /** The result as text, as sent. */
  result: string | null;
  /** Type of the result: `numeric`, `range`, `comment` or `coded_value`. */
  result_type: string | null;
  /** The number in the result. For a result such as `<1.2`, the number after the sign. */
  result_number: number | null;
  /** `<`, `<=`, `>` or `>=` before the number, if the result has such a sign. */
  result_sign: string | null;
  /** Lower end of a result that is a range. */
  result_low: number | null;
  /** Upper end of a result that is a range. */
  result_high: number | null;
  /** The number under its deprecated name; -1 if the result is not a number. */
  legacy_value: number | null;
  /** Unit, as sent. */
  unit: string | null;
  /** Time of the result. */
  taken_at: number | null;
  /** Notes of the lab. */
  notes: string | null;
  /** Reference range as text. */
  reference_range: string | null;
  /** Lower end of the reference range. */
  reference_low: number | null;
  /** Upper end of the reference range. */
  reference_high: number | null;
  /** Whether the result is above the reference range. */
  is_above_max_range: boolean | null;
  /** Whether the result is below the reference range. */
  is_below_min_range: boolean | null;
  /** `normal`, `abnormal`, `critical` or `unknown`. */
  interpretation: string | null;
  /** The lab's own interpretation. */
  source_interpretation: string | null;
  /** LOINC code. */
  loinc: string | null;
  /** Slug of the LOINC code. */
  loinc_slug: string | null;
  /** The lab's code of the result. */
  lab_code: string | null;
  /** The ordered markers that yielded the result, as sent. */
  source_markers: string | null;
  /** Laboratory that performed the test. */
  performing_laboratory: string | null;
  /** Id of the sample. */
  source_sample_id: string | null;
  /** Unknown members of the result, and members whose value does not fit the type of their column. A JSON object with the values as sent, which may identify people. */
  fields_extra: string | null;
}

/** A result that the lab could not provide. */
export interface LabMissingResult {
  /** Name of the result. */
  name: string | null;
  /** Slug of the result. */
  slug: string | null;
  /** Reason why the result is missing, as inferred by the service. */
  inferred_failure_type: string | null;
  /** The lab's note on the missing result. */
  note: string | null;
  /** LOINC code. */
  loinc: string | null;
  /** Slug of the LOINC code. */
  loinc_slug: string | null;
  /** The lab's code. */
  provider_id: string | null;
}

/** The results of a lab order, fetched when all or some of them were available. One row per order: the newest answer. */
export interface LabResults {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the order in `lab_orders`. */
  order_id: string;
  /** `final` or `partial`. */
  status: string | null;
  /** Interpretation of the results as a whole. */
  interpretation: string | null;
  /** Local date on which the lab reported the results. NULL if a time was sent. */
  date_reported: number | null;
  /** Instant at which the lab reported the results, if `date_reported` was sent with a time and an offset. A time without an offset is in `extra`. */
  reported_at: number | null;
  /** Local date on which the sample was taken. NULL if a time was sent. */
  date_collected: number | null;
  /** Instant at which the sample was taken, if `date_collected` was sent with a time and an offset. A time without an offset is in `extra`. */
  collected_at: number | null;
  /** Local date on which the lab received the sample. NULL if a time was sent. */
  date_received: number | null;
  /** Instant at which the lab received the sample, if `date_received` was sent with a time and an offset. A time without an offset is in `extra`. */
  received_at: number | null;
  /** Name of the laboratory. */
  laboratory: string | null;
  /** The physician or other person who placed the order. */
  ordered_by: string | null;
  /** CLIA number of the laboratory. The service calls it `clia_#`. */
  clia_number: string | null;
  /** Number of the sample at the lab. */
  specimen_number: string | null;
  /** Name of the patient. */
  patient: string | null;
  /** Birth date of the patient, as sent. */
  patient_birth_date: string | null;
  /** Age of the patient, as sent. */
  patient_age: string | null;
  /** Id of the patient at the lab. */
  patient_id: string | null;
  /** Account at the lab. */
  account_id: string | null;
  /** The results, as sent. */
  items: LabResultItem[];
  /** Results that the lab could not provide. */
  missing: LabMissingResult[];
  /** The samples, as sent. */
  sample_information: string | null;
  /** The transaction of the order, as sent. */
  order_transaction: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A lab test of the team. One row per test: the newest answer that differs from the previous one. */
export interface LabTest {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the test. */
  id: string;
  /** Name. */
  name: string | null;
  /** Slug. */
  slug: string | null;
  /** Description. */
  description: string | null;
  /** Type of sample. */
  sample_type: string | null;
  /** Collection method. */
  method: string | null;
  /** Price. */
  price: number | null;
  /** Whether the test can be ordered. Deprecated by the service. */
  is_active: boolean | null;
  /** `active`, `pending_approval` or `inactive`. */
  status: string | null;
  /** Whether the test requires fasting. */
  fasting: boolean | null;
  /** The lab, as sent. */
  lab: string | null;
  /** The markers that the test measures, as sent. */
  markers: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** One meal of a user. */
export interface Meal {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Deprecated by the service. It has no meaning. */
  priority_id: number | null;
  /** Deprecated by the service. It has no meaning. */
  source_id: number | null;
  /** A copy of the id. Deprecated by the service. */
  provider_id: string | null;
  /** When the meal was eaten. */
  eaten_at: number | null;
  /** The local day of the meal, as the user recorded it. */
  calendar_date: number | null;
  /** Name of the meal. */
  meal_name: string | null;
  /** Energy. A value in another unit is in extra. (kcal) */
  energy_kcal: number | null;
  /** Unit of the energy, as sent. */
  energy_unit: string | null;
  /** Carbohydrates. (g) */
  carbs_g: number | null;
  /** Protein. (g) */
  protein_g: number | null;
  /** Fat. (g) */
  fat_total_g: number | null;
  /** Saturated fat. (g) */
  fat_saturated_g: number | null;
  /** Monounsaturated fat. (g) */
  fat_monounsaturated_g: number | null;
  /** Polyunsaturated fat. (g) */
  fat_polyunsaturated_g: number | null;
  /** Omega-3 fatty acids. (g) */
  fat_omega3_g: number | null;
  /** Omega-6 fatty acids. (g) */
  fat_omega6_g: number | null;
  /** Alcohol. (g) */
  alcohol_g: number | null;
  /** Water. (g) */
  water_g: number | null;
  /** Dietary fibre. (g) */
  fibre_g: number | null;
  /** Sugar. (g) */
  sugar_g: number | null;
  /** Cholesterol. (g) */
  cholesterol_g: number | null;
  /** Amounts by mineral, in milligrams. (mg) */
  minerals: string | null;
  /** Amounts by trace element: copper and manganese in milligrams, the others in micrograms. */
  trace_elements: string | null;
  /** Amounts by vitamin: A, B12, D, K, biotin and folic acid in micrograms, the others in milligrams. */
  vitamins: string | null;
  /** Id of the app in the data object, if the service repeats it there. */
  data_source_app_id: string | null;
  /** Id of the device record in the data object, if the service repeats it there. */
  data_source_device_id: string | null;
  /** Energy, macronutrients and micronutrients by food. The user may have entered the name of the food. `meal_foods` has a row for each. */
  foods: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** Menstrual flow on a day. */
export interface MenstrualFlow {
  /** The local day. */
  calendar_date: number | null;
  /** `unspecified`, `none`, `light`, `medium` or `heavy`. */
  flow: string | null;
}

/** Cervical mucus on a day. */
export interface CervicalMucus {
  /** The local day. */
  calendar_date: number | null;
  /** `dry`, `sticky`, `creamy`, `watery` or `egg_white`. */
  quality: string | null;
}

/** A day of bleeding between periods. */
export interface IntermenstrualBleeding {
  /** The local day. */
  calendar_date: number | null;
}

/** A contraceptive on a day. */
export interface Contraceptive {
  /** The local day. */
  calendar_date: number | null;
  /** `unspecified`, `implant`, `injection`, `iud`, `intravaginal_ring`, `oral` or `patch`. */
  contraceptive_type: string | null;
}

/** A deviation that was detected. */
export interface DetectedDeviation {
  /** The local day. */
  calendar_date: number | null;
  /** `persistent_intermenstrual_bleeding`, `prolonged_menstrual_periods`, `irregular_menstrual_cycles` or `infrequent_menstrual_cycles`. */
  deviation: string | null;
}

/** An ovulation test. */
export interface OvulationTest {
  /** The local day. */
  calendar_date: number | null;
  /** `negative`, `positive`, `luteinizing_hormone_surge`, `estrogen_surge` or `indeterminate`. */
  test_result: string | null;
}

/** A home pregnancy test. */
export interface HomePregnancyTest {
  /** The local day. */
  calendar_date: number | null;
  /** `negative`, `positive` or `indeterminate`. */
  test_result: string | null;
}

/** A home progesterone test. */
export interface HomeProgesteroneTest {
  /** The local day. */
  calendar_date: number | null;
  /** `negative`, `positive` or `indeterminate`. */
  test_result: string | null;
}

/** Sexual activity on a day. */
export interface SexualActivity {
  /** The local day. */
  calendar_date: number | null;
  /** Whether protection was used. */
  protection_used: boolean | null;
}

/** Basal body temperature on a day. */
export interface BasalBodyTemperature {
  /** The local day. */
  calendar_date: number | null;
  /** Temperature. (°C) */
  temperature_c: number | null;
}

/** One menstrual cycle of a user, with the observations on its days. */
export interface MenstrualCycle {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** First day of the period. */
  period_start: number | null;
  /** Last day of the period. */
  period_end: number | null;
  /** Last day of the cycle. */
  cycle_end: number | null;
  /** Whether the provider predicted the cycle. */
  is_predicted: boolean | null;
  /** Flow by day. */
  menstrual_flow: MenstrualFlow[];
  /** Cervical mucus by day. */
  cervical_mucus: CervicalMucus[];
  /** Days of bleeding between periods. */
  intermenstrual_bleeding: IntermenstrualBleeding[];
  /** Contraceptives by day. */
  contraceptive: Contraceptive[];
  /** Detected deviations by day. */
  detected_deviations: DetectedDeviation[];
  /** Ovulation tests by day. */
  ovulation_test: OvulationTest[];
  /** Home pregnancy tests by day. */
  home_pregnancy_test: HomePregnancyTest[];
  /** Home progesterone tests by day. */
  home_progesterone_test: HomeProgesteroneTest[];
  /** Sexual activity by day. */
  sexual_activity: SexualActivity[];
  /** Basal body temperature by day. */
  basal_body_temperature: BasalBodyTemperature[];
  /** Slug of the provider in the data object, if the service repeats it there. */
  data_source_provider: string | null;
  /** Kind of device or origin in the data object, if the service repeats it there. */
  data_source_type: string | null;
  /** Id of the app in the data object, if the service repeats it there. */
  data_source_app_id: string | null;
  /** Id of the device record in the data object, if the service repeats it there. */
  data_source_device_id: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A batch of notes that a user wrote. Fields with a value per sample are arrays, as in timeseries. */
export interface Note {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` if the provider sends local time marked as UTC. */
  time_basis: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Number of the source in the old event format. It has no meaning. */
  data_source_id: number | null;
  /** Name, slug and logo of the provider in the old event format. */
  legacy_provider: string | null;
  /** Start of the period that the note is about. */
  start_at: number[];
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: (number | null)[];
  /** End of the period that the note is about (exclusive). */
  end_at: (number | null)[];
  /** Text of the note. */
  text: (string | null)[];
  /** Subjects of the note, as a JSON array of `food`, `exercise`, `insulin_injection` or `unspecified`. */
  tags: (string | null)[];
  /** Type of the note. */
  sample_type: (string | null)[];
  /** `text`, as sent. */
  unit: (string | null)[];
  /** Number of the sample. Deprecated by the service. */
  sample_id: (number | null)[];
  /** Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent. */
  sample_extra: (string | null)[];
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A user's profile at a provider. One profile per user and provider. */
export interface Profile {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Height. (cm) */
  height_cm: number | null;
  /** Date of birth. */
  birth_date: number | null;
  /** Whether the user uses a wheelchair. */
  wheelchair_use: boolean | null;
  /** `female`, `male`, `other` or `unknown`. */
  gender: string | null;
  /** `female`, `male` or `other`. */
  sex: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** Data as a provider sent it to the service, in the provider's own form. The stream keeps all of it. It may identify people, so the table has it only if identifiers are switched on. */
export interface RawEvent {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Slug of the provider, from the event type. */
  provider: string;
  /** The provider's dataset, from the event type. */
  dataset: string;
  /** The data as sent. A number that a double cannot hold exactly is stored as text. */
  payload: string;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The amount of data that the service has, and has sent, for one resource of a user's provider. One row per resource: the newest answer. */
export interface SentResource {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Slug of the provider. */
  provider: string;
  /** Resource, as in the service's introspection. */
  resource: string;
  /** Number of objects that the service sent in `*.created` events. (count) */
  sent_count: number | null;
  /** Time of the oldest data. */
  oldest_data: number | null;
  /** Time of the newest data. */
  newest_data: number | null;
  /** When the service last asked the provider for data. */
  last_attempt_at: number | null;
  /** `success` or `failure`. */
  last_attempt_status: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** One sleep session of a user. */
export interface Sleep {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Start of the day of the session. Deprecated by the service; use calendar_date. */
  date_at: number | null;
  /** The local day of the session, normally the day on which it ends. */
  calendar_date: number | null;
  /** Start of the session. */
  bedtime_start: number | null;
  /** End of the session. */
  bedtime_stop: number | null;
  /** `long_sleep`, `short_sleep`, `acknowledged_nap` or `unknown`. */
  sleep_type: string | null;
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: number | null;
  /** Duration from start to end. (s) */
  duration_s: number | null;
  /** Time asleep: light, REM and deep. (s) */
  total_s: number | null;
  /** Time awake. (s) */
  awake_s: number | null;
  /** Time in light sleep. (s) */
  light_s: number | null;
  /** Time in REM sleep. (s) */
  rem_s: number | null;
  /** Time in deep sleep. (s) */
  deep_s: number | null;
  /** Sleep score of the provider. */
  score: number | null;
  /** Recovery or readiness score of the provider. */
  recovery_readiness_score: number | null;
  /** Lowest heart rate. (bpm) */
  hr_lowest_bpm: number | null;
  /** Average heart rate. (bpm) */
  hr_average_bpm: number | null;
  /** Resting heart rate. (bpm) */
  hr_resting_bpm: number | null;
  /** Fraction of the session that the user was asleep. Some providers send 0.97, others 97. */
  efficiency: number | null;
  /** Time to fall asleep. (s) */
  latency_s: number | null;
  /** Deviation of the skin temperature from its usual value. (°C) */
  temperature_delta_c: number | null;
  /** Skin temperature. (°C) */
  skin_temperature_c: number | null;
  /** Dip of the heart rate during sleep. (%) */
  hr_dip_pct: number | null;
  /** `tentative` or `confirmed`. */
  state: string | null;
  /** Average heart rate variability (RMSSD). (ms) */
  average_hrv_ms: number | null;
  /** Breaths per minute. (1/min) */
  respiratory_rate_per_min: number | null;
  /** Series of values of the session. Deprecated by the service. */
  sleep_stream: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** The stages of one sleep session, as three parallel lists. `sleep_cycle_stages` has a row for each stage. */
export interface SleepCycle {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Id of the session in `sleep`. */
  sleep_id: string | null;
  /** Start of the session. */
  session_start: number | null;
  /** End of the session. */
  session_end: number | null;
  /** Start of each stage, counted from the start of the session. (s) */
  stage_start_offset_s: number[];
  /** End of each stage, counted from the start of the session. (s) */
  stage_end_offset_s: number[];
  /** Kind of each stage: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. */
  stage_type: number[];
  /** IANA time zone. */
  time_zone: string | null;
  /** Slug of the provider in the data object, if the service repeats it there. */
  data_source_provider: string | null;
  /** Kind of device or origin in the data object, if the service repeats it there. */
  data_source_type: string | null;
  /** Id of the app in the data object, if the service repeats it there. */
  data_source_app_id: string | null;
  /** Id of the device record in the data object, if the service repeats it there. */
  data_source_device_id: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A batch of samples of one timeseries resource. Fields with a value per sample are arrays. An array is empty if no sample has a value, and has one entry if all samples have the same value. Otherwise it has one entry per sample, as `start_at` always does. */
export interface Timeseries {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` if the provider sends local time marked as UTC. */
  time_basis: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Number of the source in the old event format. It has no meaning. */
  data_source_id: number | null;
  /** Name, slug and logo of the provider in the old event format. */
  legacy_provider: string | null;
  /** Start of the interval, or time of the sample. */
  start_at: number[];
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: (number | null)[];
  /** End of the interval (exclusive), for interval resources. */
  end_at: (number | null)[];
  /** The measured value. */
  value: (number | null)[];
  /** Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures. */
  sensor_location: (string | null)[];
  /** `low`, `medium` or `high`. Only for workout_duration. */
  intensity: (string | null)[];
  /** `basal` or `bolus`. Only for insulin_injection. */
  delivery_mode: (string | null)[];
  /** `standard` or `extended`. Only for insulin_injection. */
  delivery_form: (string | null)[];
  /** `meal`, `correction`, `mixed` or `unknown`. Only for insulin_injection. */
  bolus_purpose: (string | null)[];
  /** Type of the sample. It is part of the key if several samples may have the same time. */
  sample_type: (string | null)[];
  /** Unit of the value, as sent. */
  unit: (string | null)[];
  /** Number of the sample. Deprecated by the service. */
  sample_id: (number | null)[];
  /** Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent. */
  sample_extra: (string | null)[];
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A connection of a user to a provider, as the service reports its state. One row per user and provider: the newest answer that differs from the previous one. */
export interface UserConnection {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Slug of the provider. */
  provider: string;
  /** Display name of the provider. */
  provider_name: string | null;
  /** URL of an icon. */
  provider_logo: string | null;
  /** `connected`, `error`, or `gone` if the service no longer lists the connection. */
  status: string | null;
  /** When the user connected the provider. */
  created_on: number | null;
  /** The user's name or e-mail address at the provider. */
  external_user_id: string | null;
  /** Error of the connection, as sent. */
  error_details: string | null;
  /** For each resource: its status, and the scopes that the user granted or denied. */
  resource_availability: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** Whether a user is in the service's list of users. One row per user: the last change. */
export interface UserState {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** `present`, or `missing` if the user was deleted. A deletion can be undone for 7 days. */
  state: string | null;
  /** When the pipeline noticed the change. */
  since: number | null;
  /** When the data of a missing user should be erased. */
  erase_after: number | null;
  /** Whether a present user was missing before. */
  returned: boolean | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A user in the service's list of users. One row per user: the newest answer that differs from the previous one. */
export interface ServiceUser {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Team of the user. */
  data_team_id: string | null;
  /** When the user was created. */
  created_on: number | null;
  /** IANA time zone for sources that have none. */
  fallback_time_zone: string | null;
  /** Origin of the fallback time zone. */
  fallback_time_zone_source: string | null;
  /** When the fallback time zone was set. */
  fallback_time_zone_updated_at: number | null;
  /** Birth date for providers that give no age. */
  fallback_birth_date: number | null;
  /** Origin of the fallback birth date. */
  fallback_birth_date_source: string | null;
  /** When the fallback birth date was set. */
  fallback_birth_date_updated_at: number | null;
  /** First date of ingested data. */
  ingestion_start: number | null;
  /** Last date of ingested data. */
  ingestion_end: number | null;
  /** Connected providers, as sent. */
  connected_sources: string | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** An event which announces that a workout has a stream of points. With a retired event type, it announces that the workout has none. The event does not contain the stream. One row per user and workout: the newest event. */
export interface WorkoutStream {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the workout in `workouts`. */
  workout_id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Id of the workout at the provider. */
  provider_id: string | null;
  /** The service's message about the stream. */
  message: string | null;
  /** Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug. */
  sport_id: number | null;
  /** Display name of the sport. */
  sport_name: string | null;
  /** Slug of the sport. */
  sport_slug: string | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A point of a workout. A value is NULL if its column is shorter than the others, or has no number at this point. */
export interface WorkoutPoint {
  /** Time of the point, as sent. (s) */
  time_s: number | null;
  /** Time of the point; NULL if the sent time is not in this century. */
  point_at: number | null;
  /** Heart rate. (bpm) */
  heart_rate_bpm: number | null;
  /** Revolutions or steps per minute. (1/min) */
  cadence: number | null;
  /** Altitude. (m) */
  altitude_m: number | null;
  /** Smoothed speed. (m/s) */
  speed_m_s: number | null;
  /** Distance since the start of the workout. (m) */
  distance_m: number | null;
  /** Power. (W) */
  power_w: number | null;
  /** Resistance of the machine. */
  resistance: number | null;
  /** Temperature. (°C) */
  temperature_c: number | null;
  /** Latitude. (°) */
  latitude_deg: number | null;
  /** Longitude. (°) */
  longitude_deg: number | null;
}

/** The stream of points of a workout, fetched after an event announced it. One row per user and workout: the newest answer. */
export interface WorkoutPoints {
  /** Where the answer came from, and when the service answered, by the service's clock. */
  receipt: Receipt;
  /** The envelope of the event that was created from the answer. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** Id of the workout in `workouts`. */
  workout_id: string;
  /** The points, as many as the longest sent column has. */
  points: WorkoutPoint[];
  /** Whether the sent columns had different lengths. */
  uneven: boolean | null;
  /** Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** One workout of a user. */
export interface Workout {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary. The newest version of an id replaces the others. */
  id: string;
  /** User id in the data object, if the service repeats it there. */
  data_user_id: string | null;
  /** Title of the workout. */
  title: string | null;
  /** Offset of local time from UTC, positive to the east. (s) */
  timezone_offset_s: number | null;
  /** The local day of the workout, normally the day on which it starts. */
  calendar_date: number | null;
  /** Start of the workout. */
  time_start: number | null;
  /** End of the workout. */
  time_end: number | null;
  /** Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug. */
  sport_id: number | null;
  /** Display name of the sport. */
  sport_name: string | null;
  /** Slug of the sport. */
  sport_slug: string | null;
  /** Average heart rate. (bpm) */
  average_hr_bpm: number | null;
  /** Highest heart rate. (bpm) */
  max_hr_bpm: number | null;
  /** Time in each of six heart rate zones, from below 50 % to above 90 % of the maximum heart rate, in steps of 10 points. `workouts_hr_zones` has a row for each. (s) */
  hr_zones_s: number[];
  /** Distance. (m) */
  distance_m: number | null;
  /** Energy spent. (kcal) */
  calories_kcal: number | null;
  /** Moving time. (s) */
  moving_time_s: number | null;
  /** Elevation gain. (m) */
  total_elevation_gain_m: number | null;
  /** Highest altitude. (m) */
  elev_high_m: number | null;
  /** Lowest altitude. (m) */
  elev_low_m: number | null;
  /** Average speed. (m/s) */
  average_speed_m_s: number | null;
  /** Highest speed. (m/s) */
  max_speed_m_s: number | null;
  /** Average power. (W) */
  average_watts: number | null;
  /** Power measured by the device. (W) */
  device_watts: number | null;
  /** Highest power. (W) */
  max_watts: number | null;
  /** Weighted average power. (W) */
  weighted_average_watts: number | null;
  /** Number of steps. (count) */
  steps: number | null;
  /** Route, as an encoded polyline. */
  map_polyline: string | null;
  /** Route, as an encoded polyline of lower resolution. */
  map_summary_polyline: string | null;
  /** Id of the workout at the provider. */
  provider_id: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary. It decides which version of the row is the newest. */
  updated_at: number | null;
  /** Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path. */
  extra: string | null;
}

/** A delivery with its original bytes, because the whole delivery or a part of it could not be read. */
export interface DeadLetter {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, if the header or the body could be read. */
  event_type: string | null;
  /** Team, if it could be read. */
  team_id: string | null;
  /** User, if the header or the body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Reason code. */
  reason: string;
  /** Step that failed: receive, decompress, parse, route, read or encode. */
  stage: string;
  /** `whole` if no part of the delivery is in another stream. `part` if the delivery is in its stream without the parts in `places`. */
  scope: string;
  /** Paths of the refused parts in the body. */
  places: string[];
  /** Kafka Connect's error headers. */
  error_headers: Record<string, string>;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received. It is compressed if the delivery was compressed. */
  body: Buffer;
  /** File that contained the delivery; null if it came from a broker or from the service. */
  file: string | null;
  /** Line of that file on which the delivery begins, counted from 1. */
  line: number | null;
}

/** A whole delivery that the redelivery window already contained. */
export interface Redelivered {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, if the header or the body could be read. */
  event_type: string | null;
  /** Team, if it could be read. */
  team_id: string | null;
  /** User, if the header or the body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received. It is compressed if the delivery was compressed. */
  body: Buffer;
}

/** A whole event whose type has no route, or has an ending that its stream does not read. */
export interface Unrouted {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, if the header or the body could be read. */
  event_type: string | null;
  /** Team, if it could be read. */
  team_id: string | null;
  /** User, if the header or the body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received. It is compressed if the delivery was compressed. */
  body: Buffer;
}

export interface StreamRecords {
  activity: Activity;
  backfills: Backfill;
  blood_pressure: BloodPressure;
  body: Body;
  connections: Connection;
  continuous_query_results: ContinuousQueryResult;
  delivery_failures: DeliveryFailure;
  devices: Device;
  electrocardiogram: Electrocardiogram;
  historical_completions: HistoricalCompletion;
  historical_pull_tracks: HistoricalPullTrack;
  introspection_polls: IntrospectionPoll;
  lab_appointments: LabAppointment;
  lab_critical_results: LabCriticalResult;
  lab_markers: LabMarker;
  lab_match_reviews: LabMatchReview;
  lab_orders: LabOrder;
  lab_report_parsing_jobs: LabReportParsingJob;
  lab_results: LabResults;
  lab_tests: LabTest;
  meal: Meal;
  menstrual_cycle: MenstrualCycle;
  notes: Note;
  profile: Profile;
  raw_events: RawEvent;
  sent_resources: SentResource;
  sleep: Sleep;
  sleep_cycle: SleepCycle;
  timeseries: Timeseries;
  user_connections: UserConnection;
  user_states: UserState;
  users: ServiceUser;
  workout_stream: WorkoutStream;
  workout_streams: WorkoutPoints;
  workouts: Workout;
  dead_letters: DeadLetter;
  redelivered: Redelivered;
  unrouted: Unrouted;
}

export type StreamName = keyof StreamRecords;

/** For each stream, the fields whose `source` is in the data of the event. Readers set the other fields. */
export interface SourcedFields {
  activity: 'id' | 'data_user_id' | 'date_at' | 'calendar_date' | 'calories_total_kcal' | 'calories_active_kcal' | 'steps' | 'daily_movement_m' | 'distance_m' | 'low_min' | 'medium_min' | 'high_min' | 'floors_climbed' | 'time_zone' | 'timezone_offset_s' | 'heart_rate_avg_bpm' | 'heart_rate_min_bpm' | 'heart_rate_max_bpm' | 'heart_rate_resting_bpm' | 'heart_rate_avg_walking_bpm' | 'wheelchair_use' | 'wheelchair_push' | 'created_at' | 'updated_at';
  backfills: 'provider' | 'resource' | 'from_day' | 'to_day' | 'objects' | 'finished_at';
  blood_pressure: 'data_user_id' | 'data_source_id' | 'legacy_provider';
  body: 'id' | 'data_user_id' | 'date_at' | 'calendar_date' | 'weight_kg' | 'fat_pct' | 'water_pct' | 'muscle_mass_pct' | 'visceral_fat_index' | 'bone_mass_pct' | 'body_mass_index' | 'lean_body_mass_kg' | 'waist_circumference_cm' | 'created_at' | 'updated_at';
  connections: 'provider' | 'provider_name' | 'provider_logo' | 'data_user_id' | 'external_user_id' | 'resource_availability' | 'legacy_source' | 'message' | 'error_type' | 'error_details';
  continuous_query_results: 'changes';
  delivery_failures: 'message_id' | 'message_event_id' | 'endpoint_id' | 'app_id' | 'app_uid' | 'last_attempt_id' | 'last_attempt_at' | 'last_attempt_status_code';
  devices: 'id' | 'data_user_id' | 'provider' | 'source_type' | 'app_id' | 'device_manufacturer' | 'device_model' | 'device_version' | 'device_id';
  electrocardiogram: 'id' | 'data_user_id' | 'session_start' | 'session_end' | 'voltage_sample_count' | 'heart_rate_mean_bpm' | 'sampling_frequency_hz' | 'classification' | 'inconclusive_cause' | 'algorithm_version' | 'time_zone' | 'data_source_provider' | 'data_source_type' | 'data_source_app_id' | 'data_source_device_id' | 'source_device_model' | 'created_at' | 'updated_at';
  historical_completions: 'provider' | 'data_user_id' | 'range_start' | 'range_end' | 'is_final';
  historical_pull_tracks: never;
  introspection_polls: 'user_id';
  lab_appointments: 'id' | 'data_user_id' | 'order_id' | 'order_transaction_id' | 'appointment_type' | 'provider' | 'provider_id' | 'external_id' | 'status' | 'event_status' | 'event_data' | 'events' | 'starts_at' | 'ends_at' | 'time_zone' | 'can_reschedule' | 'address' | 'longitude_deg' | 'latitude_deg' | 'appointment_notes';
  lab_critical_results: 'order_id' | 'sample_id' | 'data_user_id' | 'data_team_id' | 'status' | 'interpretation' | 'created_at' | 'updated_at';
  lab_markers: 'name' | 'slug' | 'description' | 'lab_id' | 'lab_code' | 'marker_type' | 'unit' | 'price' | 'a_la_carte_enabled' | 'common_tat_days' | 'worst_case_tat_days' | 'is_orderable' | 'aoe' | 'expected_results';
  lab_match_reviews: 'id' | 'status' | 'decision_code' | 'sub_reason_codes' | 'resolution_action' | 'resolved_user_id' | 'resolved_order_id';
  lab_orders: 'id' | 'data_user_id' | 'data_team_id' | 'sample_id' | 'status' | 'last_event_id' | 'last_event_at' | 'last_event_status' | 'last_event_status_detail' | 'events' | 'lab_test_id' | 'lab_test_slug' | 'lab_test_name' | 'lab_test_sample_type' | 'lab_test_method' | 'lab_test_price' | 'lab_test_is_active' | 'lab_test_status' | 'lab_test_fasting' | 'lab_test_is_delegated' | 'lab_test_auto_generated' | 'lab_test_has_collection_instructions' | 'lab_test_common_tat_days' | 'lab_test_worst_case_tat_days' | 'lab_test_markers' | 'lab_id' | 'lab_slug' | 'lab_name' | 'lab_first_line_address' | 'lab_city' | 'lab_zipcode' | 'lab_collection_methods' | 'lab_sample_types' | 'lab_logo_url' | 'details_type' | 'details_id' | 'details_created_at' | 'details_updated_at' | 'details_appointment_id' | 'shipment_id' | 'shipment_outbound_courier' | 'shipment_outbound_tracking_number' | 'shipment_outbound_tracking_url' | 'shipment_inbound_courier' | 'shipment_inbound_tracking_number' | 'shipment_inbound_tracking_url' | 'shipment_notes' | 'patient_details' | 'patient_address' | 'shipping_details' | 'physician' | 'health_insurance_id' | 'health_insurace_id' | 'requisition_form_url' | 'notes' | 'clinical_notes' | 'passthrough' | 'priority' | 'activate_by' | 'billing_type' | 'icd_codes' | 'has_abn' | 'interpretation' | 'has_missing_results' | 'expected_result_by_date' | 'worst_case_result_by_date' | 'order_origin' | 'order_transaction_id' | 'order_transaction_status' | 'order_transaction_orders' | 'created_at' | 'updated_at';
  lab_report_parsing_jobs: 'id' | 'status' | 'failure_reason' | 'needs_human_review' | 'is_reviewed' | 'patient_first_name' | 'patient_last_name' | 'patient_birth_date' | 'patient_gender' | 'lab_name' | 'date_reported' | 'date_collected' | 'specimen_number' | 'results';
  lab_results: 'order_id' | 'status' | 'interpretation' | 'date_reported' | 'date_collected' | 'date_received' | 'laboratory' | 'ordered_by' | 'clia_number' | 'specimen_number' | 'patient' | 'patient_birth_date' | 'patient_age' | 'patient_id' | 'account_id' | 'items' | 'missing' | 'sample_information' | 'order_transaction';
  lab_tests: 'id' | 'name' | 'slug' | 'description' | 'sample_type' | 'method' | 'price' | 'is_active' | 'status' | 'fasting' | 'lab' | 'markers';
  meal: 'id' | 'data_user_id' | 'priority_id' | 'source_id' | 'provider_id' | 'eaten_at' | 'calendar_date' | 'meal_name' | 'energy_kcal' | 'energy_unit' | 'carbs_g' | 'protein_g' | 'fat_total_g' | 'fat_saturated_g' | 'fat_monounsaturated_g' | 'fat_polyunsaturated_g' | 'fat_omega3_g' | 'fat_omega6_g' | 'alcohol_g' | 'water_g' | 'fibre_g' | 'sugar_g' | 'cholesterol_g' | 'minerals' | 'trace_elements' | 'vitamins' | 'data_source_app_id' | 'data_source_device_id' | 'foods' | 'created_at' | 'updated_at';
  menstrual_cycle: 'id' | 'data_user_id' | 'period_start' | 'period_end' | 'cycle_end' | 'is_predicted' | 'menstrual_flow' | 'cervical_mucus' | 'intermenstrual_bleeding' | 'contraceptive' | 'detected_deviations' | 'ovulation_test' | 'home_pregnancy_test' | 'home_progesterone_test' | 'sexual_activity' | 'basal_body_temperature' | 'data_source_provider' | 'data_source_type' | 'data_source_app_id' | 'data_source_device_id' | 'created_at' | 'updated_at';
  notes: 'data_user_id' | 'data_source_id' | 'legacy_provider';
  profile: 'id' | 'data_user_id' | 'height_cm' | 'birth_date' | 'wheelchair_use' | 'gender' | 'sex' | 'created_at' | 'updated_at';
  raw_events: 'payload';
  sent_resources: 'provider' | 'resource' | 'sent_count' | 'oldest_data' | 'newest_data' | 'last_attempt_at' | 'last_attempt_status';
  sleep: 'id' | 'data_user_id' | 'date_at' | 'calendar_date' | 'bedtime_start' | 'bedtime_stop' | 'sleep_type' | 'timezone_offset_s' | 'duration_s' | 'total_s' | 'awake_s' | 'light_s' | 'rem_s' | 'deep_s' | 'score' | 'recovery_readiness_score' | 'hr_lowest_bpm' | 'hr_average_bpm' | 'hr_resting_bpm' | 'efficiency' | 'latency_s' | 'temperature_delta_c' | 'skin_temperature_c' | 'hr_dip_pct' | 'state' | 'average_hrv_ms' | 'respiratory_rate_per_min' | 'sleep_stream' | 'created_at' | 'updated_at';
  sleep_cycle: 'id' | 'data_user_id' | 'sleep_id' | 'session_start' | 'session_end' | 'stage_start_offset_s' | 'stage_end_offset_s' | 'stage_type' | 'time_zone' | 'data_source_provider' | 'data_source_type' | 'data_source_app_id' | 'data_source_device_id' | 'created_at' | 'updated_at';
  timeseries: 'data_user_id' | 'data_source_id' | 'legacy_provider';
  user_connections: 'provider' | 'provider_name' | 'provider_logo' | 'status' | 'created_on' | 'external_user_id' | 'error_details' | 'resource_availability';
  user_states: 'state' | 'since' | 'erase_after' | 'returned';
  users: 'data_team_id' | 'created_on' | 'fallback_time_zone' | 'fallback_time_zone_source' | 'fallback_time_zone_updated_at' | 'fallback_birth_date' | 'fallback_birth_date_source' | 'fallback_birth_date_updated_at' | 'ingestion_start' | 'ingestion_end' | 'connected_sources';
  workout_stream: 'workout_id' | 'data_user_id' | 'provider_id' | 'message' | 'sport_id' | 'sport_name' | 'sport_slug';
  workout_streams: 'workout_id' | 'points';
  workouts: 'id' | 'data_user_id' | 'title' | 'timezone_offset_s' | 'calendar_date' | 'time_start' | 'time_end' | 'sport_id' | 'sport_name' | 'sport_slug' | 'average_hr_bpm' | 'max_hr_bpm' | 'hr_zones_s' | 'distance_m' | 'calories_kcal' | 'moving_time_s' | 'total_elevation_gain_m' | 'elev_high_m' | 'elev_low_m' | 'average_speed_m_s' | 'max_speed_m_s' | 'average_watts' | 'device_watts' | 'max_watts' | 'weighted_average_watts' | 'steps' | 'map_polyline' | 'map_summary_polyline' | 'provider_id' | 'created_at' | 'updated_at';
  dead_letters: never;
  redelivered: never;
  unrouted: never;
}

/** For each object inside a record, the fields whose `source` is in the data of the event. */
export interface NestedSourcedFields {
  activity: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  backfills: Record<never, never>;
  blood_pressure: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  body: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  connections: Record<never, never>;
  continuous_query_results: { changes: 'query_id' | 'query_slug' | 'result_columns' };
  delivery_failures: Record<never, never>;
  devices: Record<never, never>;
  electrocardiogram: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  historical_completions: Record<never, never>;
  historical_pull_tracks: Record<never, never>;
  introspection_polls: { pulls: 'status' | 'range_start' | 'range_end' | 'scheduled_at' | 'started_at' | 'ended_at' | 'days_with_data' | 'error_details' | 'release' | 'trace_id'; not_pulled: 'resource' };
  lab_appointments: { events: 'created_at' | 'status' | 'data' };
  lab_critical_results: Record<never, never>;
  lab_markers: Record<never, never>;
  lab_match_reviews: Record<never, never>;
  lab_orders: { events: 'event_id' | 'created_at' | 'status' | 'status_detail'; order_transaction_orders: 'order_id' | 'low_level_status' | 'low_level_status_at' | 'order_origin' | 'parent_id' | 'created_at' | 'updated_at' };
  lab_report_parsing_jobs: { results: 'test_name' | 'value' | 'value_type' | 'units' | 'min_reference_range' | 'max_reference_range' | 'is_below_min_range' | 'is_above_max_range' | 'interpretation' | 'sample_type' | 'measurement_kind' | 'sensitivity' | 'source_panel_name' | 'loinc_match_status' | 'loinc_matches' };
  lab_results: { items: 'name' | 'slug' | 'result' | 'legacy_value' | 'unit' | 'taken_at' | 'notes' | 'reference_range' | 'reference_low' | 'reference_high' | 'is_above_max_range' | 'is_below_min_range' | 'interpretation' | 'source_interpretation' | 'loinc' | 'loinc_slug' | 'lab_code' | 'source_markers' | 'performing_laboratory' | 'source_sample_id'; missing: 'name' | 'slug' | 'inferred_failure_type' | 'note' | 'loinc' | 'loinc_slug' | 'provider_id' };
  lab_tests: Record<never, never>;
  meal: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  menstrual_cycle: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo'; menstrual_flow: 'calendar_date' | 'flow'; cervical_mucus: 'calendar_date' | 'quality'; intermenstrual_bleeding: 'calendar_date'; contraceptive: 'calendar_date' | 'contraceptive_type'; detected_deviations: 'calendar_date' | 'deviation'; ovulation_test: 'calendar_date' | 'test_result'; home_pregnancy_test: 'calendar_date' | 'test_result'; home_progesterone_test: 'calendar_date' | 'test_result'; sexual_activity: 'calendar_date' | 'protection_used'; basal_body_temperature: 'calendar_date' | 'temperature_c' };
  notes: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  profile: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  raw_events: Record<never, never>;
  sent_resources: Record<never, never>;
  sleep: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  sleep_cycle: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  timeseries: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  user_connections: Record<never, never>;
  user_states: Record<never, never>;
  users: Record<never, never>;
  workout_stream: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  workout_streams: { points: 'time_s' | 'heart_rate_bpm' | 'cadence' | 'altitude_m' | 'speed_m_s' | 'distance_m' | 'power_w' | 'resistance' | 'temperature_c' | 'latitude_deg' | 'longitude_deg' };
  workouts: { origin: 'provider' | 'source_type' | 'source_app_id' | 'source_device_id' | 'source_sport' | 'source_workout_id' | 'source_name' | 'source_logo' };
  dead_letters: Record<never, never>;
  redelivered: Record<never, never>;
  unrouted: Record<never, never>;
}

/** For each timeseries stream, the fields that have a value per sample. */
export interface SampleFields {
  blood_pressure: 'start_at' | 'timezone_offset_s' | 'systolic_mmhg' | 'diastolic_mmhg' | 'grouping' | 'sample_type' | 'unit' | 'sample_id' | 'sample_extra';
  notes: 'start_at' | 'timezone_offset_s' | 'end_at' | 'text' | 'tags' | 'sample_type' | 'unit' | 'sample_id' | 'sample_extra';
  timeseries: 'start_at' | 'timezone_offset_s' | 'end_at' | 'value' | 'sensor_location' | 'intensity' | 'delivery_mode' | 'delivery_form' | 'bolus_purpose' | 'sample_type' | 'unit' | 'sample_id' | 'sample_extra';
}

/** For each stream, the key fields whose `source` is in the data. A reader refuses an event without them. */
export interface KeyFields {
  activity: 'id';
  backfills: 'provider' | 'resource' | 'from_day' | 'to_day';
  blood_pressure: never;
  body: 'id';
  connections: never;
  continuous_query_results: never;
  delivery_failures: never;
  devices: 'id';
  electrocardiogram: 'id';
  historical_completions: never;
  historical_pull_tracks: never;
  introspection_polls: 'user_id';
  lab_appointments: 'id';
  lab_critical_results: 'order_id' | 'sample_id';
  lab_markers: never;
  lab_match_reviews: 'id';
  lab_orders: 'id';
  lab_report_parsing_jobs: 'id';
  lab_results: 'order_id';
  lab_tests: 'id';
  meal: 'id';
  menstrual_cycle: 'id';
  notes: never;
  profile: 'id';
  raw_events: never;
  sent_resources: 'provider' | 'resource';
  sleep: 'id';
  sleep_cycle: 'id';
  timeseries: never;
  user_connections: 'provider';
  user_states: never;
  users: never;
  workout_stream: 'workout_id';
  workout_streams: 'workout_id';
  workouts: 'id';
  dead_letters: never;
  redelivered: never;
  unrouted: never;
}

/** The schema of each stream with shared types inlined, as Avro tools expect it. */
export const streamSchemas: Readonly<Record<StreamName, AvroRecord & { readonly aorta: StreamAttributes }>> = {
  activity: {"type":"record","name":"Activity","namespace":"aorta","doc":"The activity of a user on one day, per source.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.activity."],"endings":["created","updated","backfilled"],"table":"activity","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"date_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.date","class":"measure","doc":"The day at 00:00 UTC. Deprecated by the service; use calendar_date."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day."},{"name":"calories_total_kcal","type":["null","double"],"default":null,"source":"$.data.calories_total","class":"measure","unit":"kcal","doc":"Energy spent, including the basal rate."},{"name":"calories_active_kcal","type":["null","double"],"default":null,"source":"$.data.calories_active","class":"measure","unit":"kcal","doc":"Energy spent through activity."},{"name":"steps","type":["null","long"],"default":null,"source":"$.data.steps","class":"measure","unit":"count","doc":"Number of steps."},{"name":"daily_movement_m","type":["null","double"],"default":null,"source":"$.data.daily_movement","class":"measure","unit":"m","doc":"Distance moved. Deprecated by the service; use distance_m."},{"name":"distance_m","type":["null","double"],"default":null,"source":"$.data.distance","class":"measure","unit":"m","doc":"Distance moved."},{"name":"low_min","type":["null","double"],"default":null,"source":"$.data.low","class":"measure","unit":"min","doc":"Duration of low activity."},{"name":"medium_min","type":["null","double"],"default":null,"source":"$.data.medium","class":"measure","unit":"min","doc":"Duration of medium activity."},{"name":"high_min","type":["null","double"],"default":null,"source":"$.data.high","class":"measure","unit":"min","doc":"Duration of high activity."},{"name":"floors_climbed","type":["null","long"],"default":null,"source":"$.data.floors_climbed","class":"measure","unit":"count","doc":"Floors climbed."},{"name":"time_zone","type":["null","string"],"default":null,"source":"$.data.time_zone","class":"measure","doc":"IANA time zone."},{"name":"timezone_offset_s","type":["null","int"],"default":null,"source":"$.data.timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"heart_rate_avg_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.avg_bpm","class":"measure","unit":"bpm","doc":"Average heart rate."},{"name":"heart_rate_min_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.min_bpm","class":"measure","unit":"bpm","doc":"Lowest heart rate."},{"name":"heart_rate_max_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.max_bpm","class":"measure","unit":"bpm","doc":"Highest heart rate."},{"name":"heart_rate_resting_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.resting_bpm","class":"measure","unit":"bpm","doc":"Resting heart rate."},{"name":"heart_rate_avg_walking_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.avg_walking_bpm","class":"measure","unit":"bpm","doc":"Average heart rate while walking."},{"name":"wheelchair_use","type":["null","boolean"],"default":null,"source":"$.data.wheelchair_use","class":"measure","doc":"Whether the user uses a wheelchair."},{"name":"wheelchair_push","type":["null","long"],"default":null,"source":"$.data.wheelchair_push","class":"measure","unit":"count","doc":"Number of wheelchair pushes."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  backfills: {"type":"record","name":"Backfill","namespace":"aorta","doc":"The result of a completed backfill of one resource of a user's provider. One row per date range: the newest result.","aorta":{"shape":"event","revision":2,"prefixes":["service.backfill."],"endings":["finished"],"table":"backfills","key":["user_id","provider","resource","from_day","to_day"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event with the result."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"provider","type":"string","source":"$.data.provider","class":"key","doc":"Slug of the provider."},{"name":"resource","type":"string","source":"$.data.resource","class":"key","doc":"Resource, as in event types."},{"name":"from_day","type":"string","source":"$.data.from","class":"key","doc":"First requested date, YYYY-MM-DD."},{"name":"to_day","type":"string","source":"$.data.to","class":"key","doc":"Last requested date, YYYY-MM-DD."},{"name":"objects","type":["null","long"],"default":null,"source":"$.data.objects","class":"measure","unit":"count","doc":"Number of distinct summaries or samples that the backfill fetched."},{"name":"finished_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.finished_at","class":"measure","doc":"When the service had answered all requests, by the service's clock."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  blood_pressure: {"type":"record","name":"BloodPressure","namespace":"aorta","doc":"A batch of blood pressure samples. Fields with a value per sample are arrays, as in timeseries.","aorta":{"shape":"timeseries","revision":2,"endings":["created","updated","backfilled"],"table":"blood_pressure","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.blood_pressure."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` if the provider sends local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"data_source_id","type":["null","long"],"default":null,"source":"$.data.source_id","class":"measure","doc":"Number of the source in the old event format. It has no meaning."},{"name":"legacy_provider","type":["null","string"],"default":null,"source":"$.data.provider","class":"measure","json":true,"doc":"Name, slug and logo of the provider in the old event format."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of the interval, or time of the sample."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"systolic_mmhg","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].systolic","class":"measure","unit":"mmHg","doc":"Systolic pressure."},{"name":"diastolic_mmhg","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].diastolic","class":"measure","unit":"mmHg","doc":"Diastolic pressure."},{"name":"grouping","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].grouping","class":"measure","json":true,"doc":"The values that the service used to group the samples: source type, workout id, sport and device id."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the sample."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"Unit of the value, as sent."},{"name":"sample_id","type":{"type":"array","items":["null","long"]},"default":[],"per":"sample","source":"$.data.data[*].id","class":"measure","doc":"Number of the sample. Deprecated by the service."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  body: {"type":"record","name":"Body","namespace":"aorta","doc":"The body measurements of a user on one day, per source.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.body."],"endings":["created","updated","backfilled"],"table":"body","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"date_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.date","class":"measure","doc":"The day at 00:00 UTC. Deprecated by the service; use calendar_date."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day."},{"name":"weight_kg","type":["null","double"],"default":null,"source":"$.data.weight","class":"measure","unit":"kg","doc":"Weight."},{"name":"fat_pct","type":["null","double"],"default":null,"source":"$.data.fat","class":"measure","unit":"%","doc":"Body fat percentage."},{"name":"water_pct","type":["null","double"],"default":null,"source":"$.data.water_percentage","class":"measure","unit":"%","doc":"Body water percentage."},{"name":"muscle_mass_pct","type":["null","double"],"default":null,"source":"$.data.muscle_mass_percentage","class":"measure","unit":"%","doc":"Muscle mass percentage."},{"name":"visceral_fat_index","type":["null","double"],"default":null,"source":"$.data.visceral_fat_index","class":"measure","doc":"Visceral fat index."},{"name":"bone_mass_pct","type":["null","double"],"default":null,"source":"$.data.bone_mass_percentage","class":"measure","unit":"%","doc":"Bone mass percentage."},{"name":"body_mass_index","type":["null","double"],"default":null,"source":"$.data.body_mass_index","class":"measure","doc":"Body mass index."},{"name":"lean_body_mass_kg","type":["null","double"],"default":null,"source":"$.data.lean_body_mass_kilogram","class":"measure","unit":"kg","doc":"Lean body mass."},{"name":"waist_circumference_cm","type":["null","double"],"default":null,"source":"$.data.waist_circumference_centimeter","class":"measure","unit":"cm","doc":"Waist circumference."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  connections: {"type":"record","name":"Connection","namespace":"aorta","doc":"A user connected a provider, or the connection broke or changed.","aorta":{"shape":"event","revision":2,"prefixes":["provider.connection."],"endings":["created","error","updated"],"table":"connection_events","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"provider","type":"string","source":"$.data.provider.slug","class":"key","doc":"Slug of the provider."},{"name":"provider_name","type":["null","string"],"default":null,"source":"$.data.provider.name","class":"measure","doc":"Display name of the provider."},{"name":"provider_logo","type":["null","string"],"default":null,"source":"$.data.provider.logo","class":"measure","doc":"URL of an icon."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"external_user_id","type":["null","string"],"default":null,"source":"$.data.external_user_id","class":"identifier","doc":"The user's name or e-mail address at the provider."},{"name":"resource_availability","type":["null","string"],"default":null,"source":"$.data.resource_availability","class":"measure","json":true,"doc":"For each resource: its status, and the scopes that the user granted or denied."},{"name":"legacy_source","type":["null","string"],"default":null,"source":"$.data.source","class":"measure","json":true,"doc":"The provider object under its deprecated name, `source`."},{"name":"message","type":["null","string"],"default":null,"source":"$.data.message","class":"free_text","doc":"The service's message about the error."},{"name":"error_type","type":["null","string"],"default":null,"source":"$.data.error_type","class":"measure","doc":"Kind of the error."},{"name":"error_details","type":["null","string"],"default":null,"source":"$.data.error_details","class":"free_text","doc":"Details of the error."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  continuous_query_results: {"type":"record","name":"ContinuousQueryResult","namespace":"aorta","doc":"New or changed rows in the result tables of a user's continuous queries.","aorta":{"shape":"event","revision":2,"prefixes":["continuous_query.result_table."],"endings":["changed"],"table":"continuous_query_results","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"changes","type":{"type":"array","items":{"type":"record","name":"ContinuousQueryChange","doc":"The new or changed rows of one query.","fields":[{"name":"query_id","type":["null","string"],"default":null,"source":"$.data[*].query_id","class":"key","doc":"Id of the query."},{"name":"query_slug","type":["null","string"],"default":null,"source":"$.data[*].query_slug","class":"measure","doc":"Slug of the query."},{"name":"result_columns","type":["null","string"],"default":null,"source":"$.data[*].data","class":"measure","json":true,"doc":"The rows, as a JSON object with a list of values per column."}]}},"default":[],"source":"$.data","class":"measure","doc":"The queries with changed results."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  delivery_failures: {"type":"record","name":"DeliveryFailure","namespace":"aorta","doc":"The webhook service (Svix) gave up a message after its last attempt. The endpoint did not receive the message.","aorta":{"shape":"event","revision":2,"prefixes":["message.attempt."],"endings":["exhausted"],"user":"optional","table":"delivery_failures","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["message_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"message_id","type":["null","string"],"default":null,"source":"$.data.msgId","class":"key","doc":"Id of the message that was not delivered. It equals `delivery_id` in `deliveries` if the message arrived in another way."},{"name":"message_event_id","type":["null","string"],"default":null,"source":"$.data.msgEventId","class":"key","doc":"The service's id of the message."},{"name":"endpoint_id","type":["null","string"],"default":null,"source":"$.data.endpointId","class":"key","doc":"The endpoint that did not accept the message."},{"name":"app_id","type":["null","string"],"default":null,"source":"$.data.appId","class":"key","doc":"The webhook service's id of the application with the endpoint."},{"name":"app_uid","type":["null","string"],"default":null,"source":"$.data.appUid","class":"key","doc":"The service's id of the application."},{"name":"last_attempt_id","type":["null","string"],"default":null,"source":"$.data.lastAttempt.id","class":"key","doc":"Id of the last attempt."},{"name":"last_attempt_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.lastAttempt.timestamp","class":"measure","doc":"When the last attempt was made."},{"name":"last_attempt_status_code","type":["null","long"],"default":null,"source":"$.data.lastAttempt.responseStatusCode","class":"measure","doc":"HTTP status of the endpoint's response; 0 if it did not respond."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  devices: {"type":"record","name":"Device","namespace":"aorta","doc":"A device of a user, as the provider describes it. One row per device: the newest state received.","aorta":{"shape":"summary","revision":2,"prefixes":["provider.device.","daily.data.device."],"endings":["created","updated"],"table":"devices","key":["user_id","id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"The service's id of the device. Summaries and samples refer to it as `source_device_id`."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"provider","type":["null","string"],"default":null,"source":"$.data.provider","class":"measure","doc":"Slug of the provider."},{"name":"source_type","type":["null","string"],"default":null,"source":"$.data.source_type","class":"measure","doc":"Kind of the device, such as `watch`."},{"name":"app_id","type":["null","string"],"default":null,"source":"$.data.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"device_manufacturer","type":["null","string"],"default":null,"source":"$.data.device_manufacturer","class":"measure","doc":"Manufacturer of the device."},{"name":"device_model","type":["null","string"],"default":null,"source":"$.data.device_model","class":"measure","doc":"Model of the device."},{"name":"device_version","type":["null","string"],"default":null,"source":"$.data.device_version","class":"measure","doc":"Version of the device or of its software."},{"name":"device_id","type":["null","string"],"default":null,"source":"$.data.device_id","class":"identifier","doc":"The provider's id of the device, such as its serial number."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  electrocardiogram: {"type":"record","name":"Electrocardiogram","namespace":"aorta","doc":"One recording of an electrocardiogram. Its voltages are samples of the timeseries resource `electrocardiogram_voltage`.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.electrocardiogram."],"endings":["created","updated","backfilled"],"table":"electrocardiogram","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"session_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.session_start","class":"measure","doc":"Start of the recording."},{"name":"session_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.session_end","class":"measure","doc":"End of the recording."},{"name":"voltage_sample_count","type":["null","long"],"default":null,"source":"$.data.voltage_sample_count","class":"measure","unit":"count","doc":"Number of voltage samples in the recording."},{"name":"heart_rate_mean_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate_mean","class":"measure","unit":"bpm","doc":"Mean heart rate."},{"name":"sampling_frequency_hz","type":["null","double"],"default":null,"source":"$.data.sampling_frequency_hz","class":"measure","unit":"Hz","doc":"Sampling frequency."},{"name":"classification","type":["null","string"],"default":null,"source":"$.data.classification","class":"measure","doc":"`sinus_rhythm`, `atrial_fibrillation` or `inconclusive`."},{"name":"inconclusive_cause","type":["null","string"],"default":null,"source":"$.data.inconclusive_cause","class":"measure","doc":"`high_heart_rate`, `low_heart_rate` or `poor_reading`."},{"name":"algorithm_version","type":["null","string"],"default":null,"source":"$.data.algorithm_version","class":"measure","doc":"Version of the algorithm that classified the recording."},{"name":"time_zone","type":["null","string"],"default":null,"source":"$.data.time_zone","class":"measure","doc":"IANA time zone."},{"name":"data_source_provider","type":["null","string"],"default":null,"source":"$.data.source_provider","class":"key","doc":"Slug of the provider in the data object, if the service repeats it there."},{"name":"data_source_type","type":["null","string"],"default":null,"source":"$.data.source_type","class":"key","doc":"Kind of device or origin in the data object, if the service repeats it there."},{"name":"data_source_app_id","type":["null","string"],"default":null,"source":"$.data.source_app_id","class":"measure","doc":"Id of the app in the data object, if the service repeats it there."},{"name":"data_source_device_id","type":["null","string"],"default":null,"source":"$.data.source_device_id","class":"measure","doc":"Id of the device record in the data object, if the service repeats it there."},{"name":"source_device_model","type":["null","string"],"default":null,"source":"$.data.source_device_model","class":"measure","doc":"Model of the device."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  historical_completions: {"type":"record","name":"HistoricalCompletion","namespace":"aorta","doc":"A historical pull of a resource has succeeded. The event does not contain the pulled data.","aorta":{"shape":"event","revision":2,"prefixes":["historical.data."],"endings":["{resource}.created"],"table":"historical_completions","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"resource","type":"string","class":"key","doc":"Resource of the pull, as in the event type."},{"name":"provider","type":"string","source":"$.data.provider","class":"key","doc":"Slug of the provider."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.start_date","class":"measure","doc":"Start of the pulled range."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.end_date","class":"measure","doc":"End of the pulled range."},{"name":"is_final","type":["null","boolean"],"default":null,"source":"$.data.is_final","class":"measure","doc":"False if more parts of the pull follow. Deprecated by the service."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  historical_pull_tracks: {"type":"record","name":"HistoricalPullTrack","namespace":"aorta","doc":"The historical pulls of a user, provider and resource, derived from all evidence. The tracker rewrites the row for each new piece of evidence.","aorta":{"shape":"fetched","revision":1,"prefixes":[],"endings":[],"table":"historical_pull_tracks","key":["user_id","provider","resource"],"order":["_reader","_offset"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"The time is that of the newest evidence. The offset is the number of pieces of evidence plus their days with data. So the track with more evidence is the newer one."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the fold. A fix of the fold raises it, so that a rebuilt track replaces older ones."},{"name":"user_id","type":"string","class":"key","doc":"The service's id of the user."},{"name":"provider","type":"string","class":"key","doc":"Slug of the provider."},{"name":"resource","type":"string","class":"key","doc":"Resource of the pulls."},{"name":"stalled_after_s","type":["null","long"],"default":null,"unit":"second","class":"measure","doc":"An open pull counts as stalled if it makes no progress for this long and the service has not answered about its user."},{"name":"pulls","default":[],"doc":"The pulls in order. The last one is the current pull.","type":{"type":"array","items":{"type":"record","name":"TrackedPull","doc":"The state of one historical pull, derived from all its evidence.","fields":[{"name":"is_present","type":"boolean","class":"measure","doc":"Whether the pull is the current one of its resource. The board shows only current pulls."},{"name":"scheduled_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the service scheduled the pull, which identifies it. Null if introspection has not reported the pull."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Start of the pulled range."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"End of the pulled range."},{"name":"state","type":"string","class":"measure","doc":"`expected`, `scheduled`, `in_progress`, `retrying`, `success`, `failure` or `unknown`."},{"name":"since","type":{"type":"long","logicalType":"timestamp-micros"},"class":"measure","doc":"When the pull entered the state."},{"name":"progressed_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the pull last made progress: it was first reported, more days had data, a part of the data arrived, or the outcome changed."},{"name":"retrying_since","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the first temporary problem was reported. Later attempts do not reset it. Null after the pull has ended."},{"name":"status","type":["null","string"],"default":null,"class":"measure","doc":"Status of the last answer that changed or confirmed the state, as the service spells it."},{"name":"error_details","type":["null","string"],"default":null,"class":"measure","doc":"Kind of the last error, as the service spells it."},{"name":"error_class","type":["null","string"],"default":null,"class":"measure","doc":"`retriable` or `final`. Unknown kinds are retriable until the service reports `failure`."},{"name":"expected_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the user connected the provider, which makes the pull expected."},{"name":"started_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the service started the pull."},{"name":"ended_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When its last attempt ended. The pull itself may continue."},{"name":"days_with_data","type":["null","long"],"default":null,"unit":"day","class":"measure","doc":"Number of days with data in the range. It grows until the pull has ended."},{"name":"provisional","type":"boolean","class":"measure","doc":"Whether its success comes from a completion event that introspection has not confirmed."},{"name":"perhaps_completed_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When a completion event arrived that may belong to this pull or to a different one."},{"name":"announced_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the provider announced the end. It does so at once, before there is any data."},{"name":"broken_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the connection broke, if the user has not connected the provider again."},{"name":"not_pulled_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the service reported that the resource is not pulled, or that the connection does not provide it."},{"name":"contradicted_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the service reported a different outcome after the pull had ended."},{"name":"knows_retrying","type":["null","boolean"],"default":null,"class":"measure","doc":"False if the connection is from before 9 May 2025, so that a `failure` may be temporary. Null if unknown."},{"name":"reports","type":"boolean","class":"measure","doc":"False if the service never reports on pulls of this provider and resource."},{"name":"service_since","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the pull entered the state, by the service's own times. Null if no answer of the service reports it."},{"name":"service_retrying_since","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"End of the first attempt with a temporary problem, by the service's own times. Null after the pull has ended."},{"name":"trace_id","type":["null","string"],"default":null,"class":"measure","doc":"Trace id for requests to the service's support. Null after the pull has succeeded."}]}}},{"name":"changes","default":[],"doc":"All changes of all pulls, in the order of evidence.","type":{"type":"array","items":{"type":"record","name":"TrackedChange","doc":"A change of a pull: to a new state, or to a new kind of error.","fields":[{"name":"scheduled_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the pull was scheduled, which identifies it."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Start of the range of the pull."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"End of the range of the pull."},{"name":"changed_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"measure","doc":"Time of the evidence for the change."},{"name":"from_state","type":["null","string"],"default":null,"class":"measure","doc":"State before the change. Null for the first change of a pull."},{"name":"to_state","type":"string","class":"measure","doc":"State after the change."},{"name":"event","type":"string","class":"measure","doc":"Event that caused the change."},{"name":"status","type":["null","string"],"default":null,"class":"measure","doc":"Status as the service spells it."},{"name":"error_details","type":["null","string"],"default":null,"class":"measure","doc":"Kind of the error, as the service spells it."}]}}},{"name":"evidence","default":[],"doc":"The evidence of the track, in order. Answers that are equivalent to the previous one are left out.","type":{"type":"array","items":{"type":"record","name":"TrackedEvidence","doc":"A piece of evidence.","fields":[{"name":"evidence_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"measure","doc":"Evidence time: when the event was received, or when the service answered."},{"name":"kind","type":"string","class":"measure","doc":"`connected`, `connection_error`, `expected`, `unavailable`, `not_pulled`, `completed`, `completed_partly` or `told`."},{"name":"scheduled_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the reported pull was scheduled."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Start of the range."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"End of the range."},{"name":"status","type":["null","string"],"default":null,"class":"measure","doc":"Status as the service spells it."},{"name":"started_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the service started the pull."},{"name":"ended_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"When the last attempt of the pull ended."},{"name":"days_with_data","type":["null","long"],"default":null,"unit":"day","class":"measure","doc":"Number of days with data in the range."},{"name":"error_details","type":["null","string"],"default":null,"class":"measure","doc":"Kind of the error."}]}}}]},
  introspection_polls: {"type":"record","name":"IntrospectionPoll","namespace":"aorta","doc":"The service's answer about the historical pulls of one user. The table has the newest answer per user; the stream has all of them.","aorta":{"shape":"fetched","revision":1,"prefixes":[],"endings":[],"table":"introspection_polls","key":["user_id"],"order":["_received_at","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"When the service answered, by the service's clock if known. The offset is the time of the request."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"user_id","type":"string","class":"key","source":"$.data[*].user_id","doc":"The service's id of the user."},{"name":"gone","type":"boolean","class":"measure","doc":"Whether the service no longer has the user."},{"name":"stale_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"measure","doc":"When the answer becomes stale, unless a newer one arrives."},{"name":"stalled_after_s","type":"long","unit":"second","class":"measure","doc":"An open pull counts as stalled if the service has not reported on it for this long."},{"name":"pulls","default":[],"doc":"The entries under `pulled`: the last pull of each resource.","type":{"type":"array","items":{"type":"record","name":"IntrospectedPull","doc":"A historical pull, as introspection reports it.","fields":[{"name":"provider","type":"string","class":"key","doc":"Slug of the provider."},{"name":"resource","type":"string","class":"key","doc":"Resource of the pull."},{"name":"status","type":"string","class":"measure","source":"$.data[*].provider.*.pulled.*.status","doc":"Status as the service spells it; empty if there is none."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.range_start","doc":"Start of the pulled range."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.range_end","doc":"End of the pulled range."},{"name":"scheduled_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.timeline.scheduled_at","doc":"When the pull was scheduled, which identifies it."},{"name":"started_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.timeline.started_at","doc":"When the service started the pull."},{"name":"ended_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.timeline.ended_at","doc":"When its last attempt ended. It is also set for a pull that the service will retry."},{"name":"days_with_data","type":["null","long"],"default":null,"unit":"day","class":"measure","source":"$.data[*].provider.*.pulled.*.days_with_data","doc":"Number of days with data in the range."},{"name":"error_details","type":["null","string"],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.error_details","doc":"Kind of the last error."},{"name":"release","type":["null","string"],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.release","doc":"Version of the service that ran the pull."},{"name":"trace_id","type":["null","string"],"default":null,"class":"measure","source":"$.data[*].provider.*.pulled.*.trace_id","doc":"Trace id for requests to the service's support."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members, and times that cannot be parsed, as sent."}]}}},{"name":"not_pulled","default":[],"doc":"The entries under `not_pulled`: resources without a pull.","type":{"type":"array","items":{"type":"record","name":"ResourceNotPulled","doc":"A resource that is not pulled.","fields":[{"name":"provider","type":"string","class":"key","doc":"Slug of the provider."},{"name":"resource","type":"string","class":"key","source":"$.data[*].provider.*.not_pulled[*]","doc":"Resource that is not pulled."}]}}}]},
  lab_appointments: {"type":"record","name":"LabAppointment","namespace":"aorta","doc":"An appointment of a lab order, at the patient's home or in a service center. The service does not say when the appointment last changed, so the version that was received last is the newest.","aorta":{"shape":"summary","revision":2,"prefixes":["labtest.appointment."],"endings":["created","updated","update"],"table":"lab_appointments","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the appointment. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"order_id","type":["null","string"],"default":null,"source":"$.data.order_id","class":"key","doc":"Id of the order in `lab_orders`."},{"name":"order_transaction_id","type":["null","string"],"default":null,"source":"$.data.order_transaction_id","class":"key","doc":"Id of the order's transaction."},{"name":"appointment_type","type":["null","string"],"default":null,"source":"$.data.type","class":"measure","doc":"`phlebotomy` (at home) or `patient_service_center`."},{"name":"provider","type":["null","string"],"default":null,"source":"$.data.provider","class":"measure","doc":"The company that carries out the appointment, such as `getlabs`."},{"name":"provider_id","type":["null","string"],"default":null,"source":"$.data.provider_id","class":"key","doc":"The provider's id of the appointment."},{"name":"external_id","type":["null","string"],"default":null,"source":"$.data.external_id","class":"key","doc":"Id of the appointment in another external system."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`pending`, `reserved`, `confirmed`, `in_progress`, `completed` or `cancelled`."},{"name":"event_status","type":["null","string"],"default":null,"source":"$.data.event_status","class":"measure","doc":"Status of the newest event."},{"name":"event_data","type":["null","string"],"default":null,"source":"$.data.event_data","class":"free_text","json":true,"doc":"The provider's data about the newest event, in any form."},{"name":"events","type":{"type":"array","items":{"type":"record","name":"LabAppointmentEvent","doc":"A status change of an appointment.","fields":[{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.events[*].created_at","class":"measure","doc":"When the appointment entered the status."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.events[*].status","class":"measure","doc":"Status that the appointment entered."},{"name":"data","type":["null","string"],"default":null,"source":"$.data.events[*].data","class":"free_text","json":true,"doc":"The provider's data about the event, in any form."}]}},"default":[],"source":"$.data.events","class":"measure","doc":"All status changes of the appointment, as sent."},{"name":"starts_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.start_at","class":"measure","doc":"Start of the appointment. A time without an offset is in UTC."},{"name":"ends_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.end_at","class":"measure","doc":"End of the appointment. A time without an offset is in UTC."},{"name":"time_zone","type":["null","string"],"default":null,"source":"$.data.iana_timezone","class":"measure","doc":"IANA time zone of the location."},{"name":"can_reschedule","type":["null","boolean"],"default":null,"source":"$.data.can_reschedule","class":"measure","doc":"Whether the appointment can be rescheduled."},{"name":"address","type":["null","string"],"default":null,"source":"$.data.address","class":"patient","json":true,"doc":"Address of the appointment: the patient's home or the service center."},{"name":"longitude_deg","type":["null","double"],"default":null,"source":"$.data.location.lng","class":"location","unit":"degree","doc":"Longitude of the location."},{"name":"latitude_deg","type":["null","double"],"default":null,"source":"$.data.location.lat","class":"location","unit":"degree","doc":"Latitude of the location."},{"name":"appointment_notes","type":["null","string"],"default":null,"source":"$.data.appointment_notes","class":"free_text","doc":"Notes on the appointment."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_critical_results: {"type":"record","name":"LabCriticalResult","namespace":"aorta","doc":"A lab's report that a result is critical. One row per order and sample: the newest report. The result itself is fetched from the service.","aorta":{"shape":"summary","revision":2,"prefixes":["labtest.result."],"endings":["critical"],"table":"lab_critical_results","key":["order_id","sample_id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","order_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"order_id","type":"string","source":"$.data.order_id","class":"key","doc":"Id of the order."},{"name":"sample_id","type":"string","default":"","source":"$.data.sample_id","class":"key","doc":"Id of the sample, as in the order; empty if it was not sent."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"data_team_id","type":["null","string"],"default":null,"source":"$.data.team_id","class":"key","doc":"Team id in the data object, if the service repeats it there."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`final` or `partial`."},{"name":"interpretation","type":["null","string"],"default":null,"source":"$.data.interpretation","class":"measure","doc":"`normal`, `abnormal` or `critical`."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first fetched the result from the lab."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last fetched the result from the lab. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_markers: {"type":"record","name":"LabMarker","namespace":"aorta","doc":"A marker that can be ordered: a biomarker or a panel. One row per marker: the newest answer that differs from the previous one.","aorta":{"shape":"event","revision":2,"prefixes":["service.marker."],"endings":["polled"],"user":"optional","table":"lab_markers","key":["marker_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["marker_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"marker_id","type":"string","class":"key","doc":"Id of the marker."},{"name":"name","type":["null","string"],"default":null,"source":"$.data.name","class":"measure","doc":"Name."},{"name":"slug","type":["null","string"],"default":null,"source":"$.data.slug","class":"measure","doc":"Slug."},{"name":"description","type":["null","string"],"default":null,"source":"$.data.description","class":"measure","doc":"Description."},{"name":"lab_id","type":["null","long"],"default":null,"source":"$.data.lab_id","class":"measure","doc":"Id of the lab."},{"name":"lab_code","type":["null","string"],"default":null,"source":"$.data.provider_id","class":"measure","doc":"The lab's code."},{"name":"marker_type","type":["null","string"],"default":null,"source":"$.data.type","class":"measure","doc":"`biomarker` or `panel`."},{"name":"unit","type":["null","string"],"default":null,"source":"$.data.unit","class":"measure","doc":"Unit."},{"name":"price","type":["null","string"],"default":null,"source":"$.data.price","class":"measure","doc":"Price, as text."},{"name":"a_la_carte_enabled","type":["null","boolean"],"default":null,"source":"$.data.a_la_carte_enabled","class":"measure","doc":"Whether the marker can be ordered individually."},{"name":"common_tat_days","type":["null","long"],"default":null,"source":"$.data.common_tat_days","class":"measure","unit":"day","doc":"Usual time from sample to result."},{"name":"worst_case_tat_days","type":["null","long"],"default":null,"source":"$.data.worst_case_tat_days","class":"measure","unit":"day","doc":"Longest time from sample to result."},{"name":"is_orderable","type":["null","boolean"],"default":null,"source":"$.data.is_orderable","class":"measure","doc":"Whether the marker can be ordered."},{"name":"aoe","type":["null","string"],"default":null,"source":"$.data.aoe","class":"measure","json":true,"doc":"Questions to ask when ordering, as sent."},{"name":"expected_results","type":["null","string"],"default":null,"source":"$.data.expected_results","class":"measure","json":true,"doc":"Results that the marker yields, as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_match_reviews: {"type":"record","name":"LabMatchReview","namespace":"aorta","doc":"The review of a lab result that could not be matched to an order with certainty. It may have no user. The service does not say when the review last changed, so the version that was received last is the newest.","aorta":{"shape":"summary","revision":2,"prefixes":["labtest.match_review."],"endings":["created","updated"],"user":"optional","table":"lab_match_reviews","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the review. The newest version of an id replaces the others."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`matched`, `pending_customer_review`, `pending_ops_review` or `resolved`."},{"name":"decision_code","type":["null","string"],"default":null,"source":"$.data.decision_code","class":"measure","doc":"The outcome of the matching, or why there is no match."},{"name":"sub_reason_codes","type":{"type":"array","items":"string"},"default":[],"source":"$.data.sub_reason_codes","class":"measure","doc":"Additional reason codes."},{"name":"resolution_action","type":["null","string"],"default":null,"source":"$.data.resolution_action","class":"measure","doc":"`accept`, `reject` or `unsure`."},{"name":"resolved_user_id","type":["null","string"],"default":null,"source":"$.data.resolved_user_id","class":"key","doc":"Id of the user that the result was matched to."},{"name":"resolved_order_id","type":["null","string"],"default":null,"source":"$.data.resolved_order_id","class":"key","doc":"Id of the order in `lab_orders` that the result was matched to."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_orders: {"type":"record","name":"LabOrder","namespace":"aorta","doc":"An order of a lab test, from its creation to its results. One row per order: the newest version. The results are fetched from the service.","aorta":{"shape":"summary","revision":2,"prefixes":["labtest.order.","testkit.order."],"endings":["created","updated","backfilled"],"table":"lab_orders","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the order. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"data_team_id","type":["null","string"],"default":null,"source":"$.data.team_id","class":"key","doc":"Team id in the data object, if the service repeats it there."},{"name":"sample_id","type":["null","string"],"default":null,"source":"$.data.sample_id","class":"key","doc":"Id of the sample, as in lab results and critical results."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"High-level status. Deprecated by the service; use last_event_status."},{"name":"last_event_id","type":["null","long"],"default":null,"source":"$.data.last_event.id","class":"key","doc":"Id of the newest event in the order's history."},{"name":"last_event_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.last_event.created_at","class":"measure","doc":"When the order entered its current status."},{"name":"last_event_status","type":["null","string"],"default":null,"source":"$.data.last_event.status","class":"measure","doc":"Current status: high level, modality and low level, separated by dots."},{"name":"last_event_status_detail","type":["null","string"],"default":null,"source":"$.data.last_event.status_detail","class":"measure","doc":"Reason for the status, if the status is a failure."},{"name":"events","type":{"type":"array","items":{"type":"record","name":"LabOrderEvent","doc":"A status change of an order.","fields":[{"name":"event_id","type":["null","long"],"default":null,"source":"$.data.events[*].id","class":"key","doc":"Id of the event."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.events[*].created_at","class":"measure","doc":"When the order entered the status."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.events[*].status","class":"measure","doc":"Status: high level, modality and low level, separated by dots."},{"name":"status_detail","type":["null","string"],"default":null,"source":"$.data.events[*].status_detail","class":"measure","doc":"Reason, if the status is a failure."}]}},"default":[],"source":"$.data.events","class":"measure","doc":"All status changes of the order, as sent."},{"name":"lab_test_id","type":["null","string"],"default":null,"source":"$.data.lab_test.id","class":"key","doc":"Id of the ordered test."},{"name":"lab_test_slug","type":["null","string"],"default":null,"source":"$.data.lab_test.slug","class":"measure","doc":"Slug of the test."},{"name":"lab_test_name","type":["null","string"],"default":null,"source":"$.data.lab_test.name","class":"measure","doc":"Name of the test."},{"name":"lab_test_sample_type","type":["null","string"],"default":null,"source":"$.data.lab_test.sample_type","class":"measure","doc":"Type of sample, such as `serum`."},{"name":"lab_test_method","type":["null","string"],"default":null,"source":"$.data.lab_test.method","class":"measure","doc":"Collection method: `testkit`, `walk_in_test`, `at_home_phlebotomy` or `on_site_collection`."},{"name":"lab_test_price","type":["null","double"],"default":null,"source":"$.data.lab_test.price","class":"measure","doc":"Price of the test."},{"name":"lab_test_is_active","type":["null","boolean"],"default":null,"source":"$.data.lab_test.is_active","class":"measure","doc":"Whether the test can be ordered. Deprecated by the service; use lab_test_status."},{"name":"lab_test_status","type":["null","string"],"default":null,"source":"$.data.lab_test.status","class":"measure","doc":"`active`, `pending_approval` or `inactive`."},{"name":"lab_test_fasting","type":["null","boolean"],"default":null,"source":"$.data.lab_test.fasting","class":"measure","doc":"Whether the test requires fasting."},{"name":"lab_test_is_delegated","type":["null","boolean"],"default":null,"source":"$.data.lab_test.is_delegated","class":"measure","doc":"Always false. Deprecated by the service."},{"name":"lab_test_auto_generated","type":["null","boolean"],"default":null,"source":"$.data.lab_test.auto_generated","class":"measure","doc":"Whether the service created the test for this order."},{"name":"lab_test_has_collection_instructions","type":["null","boolean"],"default":null,"source":"$.data.lab_test.has_collection_instructions","class":"measure","doc":"Whether the test has collection instructions."},{"name":"lab_test_common_tat_days","type":["null","long"],"default":null,"source":"$.data.lab_test.common_tat_days","class":"measure","unit":"day","doc":"Usual time from sample to result."},{"name":"lab_test_worst_case_tat_days","type":["null","long"],"default":null,"source":"$.data.lab_test.worst_case_tat_days","class":"measure","unit":"day","doc":"Longest time from sample to result."},{"name":"lab_test_markers","type":["null","string"],"default":null,"source":"$.data.lab_test.markers","class":"measure","json":true,"doc":"The markers that the test measures, as sent."},{"name":"lab_id","type":["null","long"],"default":null,"source":"$.data.lab_test.lab.id","class":"key","doc":"Id of the lab."},{"name":"lab_slug","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.slug","class":"measure","doc":"Slug of the lab."},{"name":"lab_name","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.name","class":"measure","doc":"Name of the lab."},{"name":"lab_first_line_address","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.first_line_address","class":"measure","doc":"Address of the lab."},{"name":"lab_city","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.city","class":"measure","doc":"City of the lab."},{"name":"lab_zipcode","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.zipcode","class":"measure","doc":"Postal code of the lab."},{"name":"lab_collection_methods","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.collection_methods","class":"measure","json":true,"doc":"Collection methods that the lab offers."},{"name":"lab_sample_types","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.sample_types","class":"measure","json":true,"doc":"Types of samples that the lab accepts."},{"name":"lab_logo_url","type":["null","string"],"default":null,"source":"$.data.lab_test.lab.logo_url","class":"measure","doc":"URL of an icon of the lab."},{"name":"details_type","type":["null","string"],"default":null,"source":"$.data.details.type","class":"measure","doc":"Modality of the order: `walk_in_test`, `testkit`, `at_home_phlebotomy` or `on_site_collection`. It determines which other details exist."},{"name":"details_id","type":["null","string"],"default":null,"source":"$.data.details.data.id","class":"key","doc":"Id of the order within its modality."},{"name":"details_created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.details.data.created_at","class":"measure","doc":"When the order within its modality was created."},{"name":"details_updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.details.data.updated_at","class":"measure","doc":"When the order within its modality last changed."},{"name":"details_appointment_id","type":["null","string"],"default":null,"source":"$.data.details.data.appointment_id","class":"key","doc":"Id of the appointment in `lab_appointments`, for walk-in tests and at-home phlebotomy."},{"name":"shipment_id","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.id","class":"key","doc":"Id of the shipment of a test kit."},{"name":"shipment_outbound_courier","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.outbound_courier","class":"measure","doc":"Courier of the shipment to the customer."},{"name":"shipment_outbound_tracking_number","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.outbound_tracking_number","class":"patient","doc":"Tracking number of the shipment to the customer. It reveals name and address."},{"name":"shipment_outbound_tracking_url","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.outbound_tracking_url","class":"patient","doc":"URL of the tracking page of the shipment to the customer."},{"name":"shipment_inbound_courier","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.inbound_courier","class":"measure","doc":"Courier of the shipment to the lab."},{"name":"shipment_inbound_tracking_number","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.inbound_tracking_number","class":"patient","doc":"Tracking number of the shipment to the lab."},{"name":"shipment_inbound_tracking_url","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.inbound_tracking_url","class":"patient","doc":"URL of the tracking page of the shipment to the lab."},{"name":"shipment_notes","type":["null","string"],"default":null,"source":"$.data.details.data.shipment.notes","class":"free_text","doc":"Notes on the shipment."},{"name":"patient_details","type":["null","string"],"default":null,"source":"$.data.patient_details","class":"patient","json":true,"doc":"Name, birth date, gender, telephone number, e-mail address, proxy and more of the patient."},{"name":"patient_address","type":["null","string"],"default":null,"source":"$.data.patient_address","class":"patient","json":true,"doc":"Address of the patient."},{"name":"shipping_details","type":["null","string"],"default":null,"source":"$.data.shipping_details","class":"patient","json":true,"doc":"Shipping address of an unregistered test kit."},{"name":"physician","type":["null","string"],"default":null,"source":"$.data.physician","class":"identifier","json":true,"doc":"Name and number of the physician."},{"name":"health_insurance_id","type":["null","string"],"default":null,"source":"$.data.health_insurance_id","class":"patient","doc":"The service's id of the patient's health insurance."},{"name":"health_insurace_id","type":["null","string"],"default":null,"source":"$.data.health_insurace_id","class":"patient","doc":"The same id under the misspelt name that the service sometimes sends."},{"name":"requisition_form_url","type":["null","string"],"default":null,"source":"$.data.requisition_form_url","class":"secret","doc":"Signed URL of the requisition form. Deprecated by the service."},{"name":"notes","type":["null","string"],"default":null,"source":"$.data.notes","class":"free_text","doc":"Notes on the order."},{"name":"clinical_notes","type":["null","string"],"default":null,"source":"$.data.clinical_notes","class":"free_text","doc":"Clinical notes on the order."},{"name":"passthrough","type":["null","string"],"default":null,"source":"$.data.passthrough","class":"free_text","doc":"Data of the customer that the service passes through."},{"name":"priority","type":["null","boolean"],"default":null,"source":"$.data.priority","class":"measure","doc":"Whether the order is urgent."},{"name":"activate_by","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.activate_by","class":"measure","doc":"Day on which a scheduled order is processed."},{"name":"billing_type","type":["null","string"],"default":null,"source":"$.data.billing_type","class":"measure","doc":"Payer: `client_bill`, `commercial_insurance`, `patient_bill_passthrough` or `patient_bill`."},{"name":"icd_codes","type":{"type":"array","items":"string"},"default":[],"source":"$.data.icd_codes","class":"measure","doc":"Diagnoses under which the order is billed, as ICD-10 codes."},{"name":"has_abn","type":["null","boolean"],"default":null,"source":"$.data.has_abn","class":"measure","doc":"Whether there is an Advanced Beneficiary Notice."},{"name":"interpretation","type":["null","string"],"default":null,"source":"$.data.interpretation","class":"measure","doc":"Interpretation of the results: `normal`, `abnormal`, `critical` or `unknown`."},{"name":"has_missing_results","type":["null","boolean"],"default":null,"source":"$.data.has_missing_results","class":"measure","doc":"Whether results of markers are missing."},{"name":"expected_result_by_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.expected_result_by_date","class":"measure","doc":"Date when results usually arrive."},{"name":"worst_case_result_by_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.worst_case_result_by_date","class":"measure","doc":"Latest date when results arrive."},{"name":"order_origin","type":["null","string"],"default":null,"source":"$.data.origin","class":"measure","doc":"Reason for the order: `initial`, `redraw` or `recreation`."},{"name":"order_transaction_id","type":["null","string"],"default":null,"source":"$.data.order_transaction.id","class":"key","doc":"Id of the transaction of the order and its redraws."},{"name":"order_transaction_status","type":["null","string"],"default":null,"source":"$.data.order_transaction.status","class":"measure","doc":"`active`, `completed` or `cancelled`."},{"name":"order_transaction_orders","type":{"type":"array","items":{"type":"record","name":"LabTransactionOrder","doc":"An order of a transaction.","fields":[{"name":"order_id","type":["null","string"],"default":null,"source":"$.data.order_transaction.orders[*].id","class":"key","doc":"Id of the order."},{"name":"low_level_status","type":["null","string"],"default":null,"source":"$.data.order_transaction.orders[*].low_level_status","class":"measure","doc":"Low level of the status."},{"name":"low_level_status_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.order_transaction.orders[*].low_level_status_created_at","class":"measure","doc":"When the order entered this status."},{"name":"order_origin","type":["null","string"],"default":null,"source":"$.data.order_transaction.orders[*].origin","class":"measure","doc":"`initial`, `redraw` or `recreation`."},{"name":"parent_id","type":["null","string"],"default":null,"source":"$.data.order_transaction.orders[*].parent_id","class":"key","doc":"Id of the order that it replaces."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.order_transaction.orders[*].created_at","class":"measure","doc":"When the order was created."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.order_transaction.orders[*].updated_at","class":"measure","doc":"When the order last changed."}]}},"default":[],"source":"$.data.order_transaction.orders","class":"measure","doc":"The orders of the transaction, including this one."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the order was created."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the order last changed. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_report_parsing_jobs: {"type":"record","name":"LabReportParsingJob","namespace":"aorta","doc":"A job that parses a lab report which a user has uploaded, with the results found in it. The service does not say when the job last changed, so the version that was received last is the newest.","aorta":{"shape":"summary","revision":2,"prefixes":["lab_report.parsing_job."],"endings":["created","updated"],"table":"lab_report_parsing_jobs","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the job. The newest version of an id replaces the others."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`upload_pending`, `started`, `completed` or `failed`."},{"name":"failure_reason","type":["null","string"],"default":null,"source":"$.data.failure_reason","class":"measure","doc":"Why the job failed, such as `low_quality`."},{"name":"needs_human_review","type":["null","boolean"],"default":null,"source":"$.data.needs_human_review","class":"measure","doc":"Whether a person must review the result."},{"name":"is_reviewed","type":["null","boolean"],"default":null,"source":"$.data.is_reviewed","class":"measure","doc":"Whether a person has reviewed the result."},{"name":"patient_first_name","type":["null","string"],"default":null,"source":"$.data.data.metadata.patient_first_name","class":"patient","doc":"First name of the patient, as found in the report."},{"name":"patient_last_name","type":["null","string"],"default":null,"source":"$.data.data.metadata.patient_last_name","class":"patient","doc":"Last name of the patient, as found in the report."},{"name":"patient_birth_date","type":["null","string"],"default":null,"source":"$.data.data.metadata.dob","class":"patient","doc":"Birth date, as found in the report."},{"name":"patient_gender","type":["null","string"],"default":null,"source":"$.data.data.metadata.gender","class":"measure","doc":"`male`, `female` or `other`."},{"name":"lab_name","type":["null","string"],"default":null,"source":"$.data.data.metadata.lab_name","class":"measure","doc":"The lab that issued the report."},{"name":"date_reported","type":["null","string"],"default":null,"source":"$.data.data.metadata.date_reported","class":"measure","doc":"Date of the report, as found in the report: text without a fixed format."},{"name":"date_collected","type":["null","string"],"default":null,"source":"$.data.data.metadata.date_collected","class":"measure","doc":"Date of the sample, as found in the report: text without a fixed format."},{"name":"specimen_number","type":["null","string"],"default":null,"source":"$.data.data.metadata.specimen_number","class":"patient","doc":"The lab's number of the sample."},{"name":"results","type":{"type":"array","items":{"type":"record","name":"LabReportResult","doc":"A result that was found in a lab report.","fields":[{"name":"test_name","type":["null","string"],"default":null,"source":"$.data.data.results[*].test_name","class":"measure","doc":"Name of the test."},{"name":"value","type":["null","string"],"default":null,"source":"$.data.data.results[*].value","class":"measure","doc":"The value, as text."},{"name":"value_type","type":["null","string"],"default":null,"source":"$.data.data.results[*].type","class":"measure","doc":"Type of the value: `numeric`, `range`, `comment`, `boolean`, `duration`, `percentage` or `ratio`."},{"name":"units","type":["null","string"],"default":null,"source":"$.data.data.results[*].units","class":"measure","doc":"Unit of the value, as found in the report."},{"name":"min_reference_range","type":["null","double"],"default":null,"source":"$.data.data.results[*].min_reference_range","class":"measure","doc":"Lower end of the reference range, in the result's unit."},{"name":"max_reference_range","type":["null","double"],"default":null,"source":"$.data.data.results[*].max_reference_range","class":"measure","doc":"Upper end of the reference range, in the result's unit."},{"name":"is_below_min_range","type":["null","boolean"],"default":null,"source":"$.data.data.results[*].is_below_min_range","class":"measure","doc":"Whether the value is below the range."},{"name":"is_above_max_range","type":["null","boolean"],"default":null,"source":"$.data.data.results[*].is_above_max_range","class":"measure","doc":"Whether the value is above the range."},{"name":"interpretation","type":["null","string"],"default":null,"source":"$.data.data.results[*].interpretation","class":"measure","doc":"`normal`, `abnormal`, `critical` or `unknown`."},{"name":"sample_type","type":["null","string"],"default":null,"source":"$.data.data.results[*].sample_type","class":"measure","doc":"Type of sample."},{"name":"measurement_kind","type":["null","string"],"default":null,"source":"$.data.data.results[*].measurement_kind","class":"measure","doc":"`direct`, `calculated`, `ratio` or `unknown`."},{"name":"sensitivity","type":["null","string"],"default":null,"source":"$.data.data.results[*].sensitivity","class":"measure","doc":"Whether the test is sensitive."},{"name":"source_panel_name","type":["null","string"],"default":null,"source":"$.data.data.results[*].source_panel_name","class":"measure","doc":"Panel of the report that contains the result."},{"name":"loinc_match_status","type":["null","string"],"default":null,"source":"$.data.data.results[*].loinc_match_status","class":"measure","doc":"`auto_match`, `needs_review` or `no_match`."},{"name":"loinc_matches","type":["null","string"],"default":null,"source":"$.data.data.results[*].loinc_matches","class":"measure","json":true,"doc":"Possible LOINC codes, with a confidence for each."}]}},"default":[],"source":"$.data.data.results","class":"measure","doc":"The results, in the order of the report."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_results: {"type":"record","name":"LabResults","namespace":"aorta","doc":"The results of a lab order, fetched when all or some of them were available. One row per order: the newest answer.","aorta":{"shape":"event","revision":3,"prefixes":["service.lab_result."],"endings":["fetched","not_fetched"],"table":"lab_results","key":["order_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id","order_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"order_id","type":"string","source":"$.data.order_id","class":"key","doc":"Id of the order in `lab_orders`."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.metadata.status","class":"measure","doc":"`final` or `partial`."},{"name":"interpretation","type":["null","string"],"default":null,"source":"$.data.metadata.interpretation","class":"measure","doc":"Interpretation of the results as a whole."},{"name":"date_reported","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.metadata.date_reported","class":"measure","doc":"Local date on which the lab reported the results. NULL if a time was sent."},{"name":"reported_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Instant at which the lab reported the results, if `date_reported` was sent with a time and an offset. A time without an offset is in `extra`."},{"name":"date_collected","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.metadata.date_collected","class":"measure","doc":"Local date on which the sample was taken. NULL if a time was sent."},{"name":"collected_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Instant at which the sample was taken, if `date_collected` was sent with a time and an offset. A time without an offset is in `extra`."},{"name":"date_received","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.metadata.date_received","class":"measure","doc":"Local date on which the lab received the sample. NULL if a time was sent."},{"name":"received_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Instant at which the lab received the sample, if `date_received` was sent with a time and an offset. A time without an offset is in `extra`."},{"name":"laboratory","type":["null","string"],"default":null,"source":"$.data.metadata.laboratory","class":"measure","doc":"Name of the laboratory."},{"name":"ordered_by","type":["null","string"],"default":null,"source":"$.data.metadata.provider","class":"identifier","doc":"The physician or other person who placed the order."},{"name":"clia_number","type":["null","string"],"default":null,"source":"$.data.metadata.clia_#","class":"measure","doc":"CLIA number of the laboratory. The service calls it `clia_#`."},{"name":"specimen_number","type":["null","string"],"default":null,"source":"$.data.metadata.specimen_number","class":"patient","doc":"Number of the sample at the lab."},{"name":"patient","type":["null","string"],"default":null,"source":"$.data.metadata.patient","class":"patient","doc":"Name of the patient."},{"name":"patient_birth_date","type":["null","string"],"default":null,"source":"$.data.metadata.dob","class":"patient","doc":"Birth date of the patient, as sent."},{"name":"patient_age","type":["null","string"],"default":null,"source":"$.data.metadata.age","class":"patient","doc":"Age of the patient, as sent."},{"name":"patient_id","type":["null","string"],"default":null,"source":"$.data.metadata.patient_id","class":"patient","doc":"Id of the patient at the lab."},{"name":"account_id","type":["null","string"],"default":null,"source":"$.data.metadata.account_id","class":"measure","doc":"Account at the lab."},{"name":"items","type":{"type":"array","items":{"type":"record","name":"LabResultItem","doc":"One result of an order.","fields":[{"name":"name","type":["null","string"],"default":null,"source":"$.data.results[*].name","class":"measure","doc":"Name of the result."},{"name":"slug","type":["null","string"],"default":null,"source":"$.data.results[*].slug","class":"measure","doc":"Slug of the result."},{"name":"result","type":["null","string"],"default":null,"source":"$.data.results[*].result","class":"measure","doc":"The result as text, as sent."},{"name":"result_type","type":["null","string"],"default":null,"class":"measure","doc":"Type of the result: `numeric`, `range`, `comment` or `coded_value`."},{"name":"result_number","type":["null","double"],"default":null,"class":"measure","doc":"The number in the result. For a result such as `<1.2`, the number after the sign."},{"name":"result_sign","type":["null","string"],"default":null,"class":"measure","doc":"`<`, `<=`, `>` or `>=` before the number, if the result has such a sign."},{"name":"result_low","type":["null","double"],"default":null,"class":"measure","doc":"Lower end of a result that is a range."},{"name":"result_high","type":["null","double"],"default":null,"class":"measure","doc":"Upper end of a result that is a range."},{"name":"legacy_value","type":["null","double"],"default":null,"source":"$.data.results[*].value","class":"measure","doc":"The number under its deprecated name; -1 if the result is not a number."},{"name":"unit","type":["null","string"],"default":null,"source":"$.data.results[*].unit","class":"measure","doc":"Unit, as sent."},{"name":"taken_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.results[*].timestamp","class":"measure","doc":"Time of the result."},{"name":"notes","type":["null","string"],"default":null,"source":"$.data.results[*].notes","class":"free_text","doc":"Notes of the lab."},{"name":"reference_range","type":["null","string"],"default":null,"source":"$.data.results[*].reference_range","class":"measure","doc":"Reference range as text."},{"name":"reference_low","type":["null","double"],"default":null,"source":"$.data.results[*].min_range_value","class":"measure","doc":"Lower end of the reference range."},{"name":"reference_high","type":["null","double"],"default":null,"source":"$.data.results[*].max_range_value","class":"measure","doc":"Upper end of the reference range."},{"name":"is_above_max_range","type":["null","boolean"],"default":null,"source":"$.data.results[*].is_above_max_range","class":"measure","doc":"Whether the result is above the reference range."},{"name":"is_below_min_range","type":["null","boolean"],"default":null,"source":"$.data.results[*].is_below_min_range","class":"measure","doc":"Whether the result is below the reference range."},{"name":"interpretation","type":["null","string"],"default":null,"source":"$.data.results[*].interpretation","class":"measure","doc":"`normal`, `abnormal`, `critical` or `unknown`."},{"name":"source_interpretation","type":["null","string"],"default":null,"source":"$.data.results[*].source_interpretation","class":"measure","doc":"The lab's own interpretation."},{"name":"loinc","type":["null","string"],"default":null,"source":"$.data.results[*].loinc","class":"measure","doc":"LOINC code."},{"name":"loinc_slug","type":["null","string"],"default":null,"source":"$.data.results[*].loinc_slug","class":"measure","doc":"Slug of the LOINC code."},{"name":"lab_code","type":["null","string"],"default":null,"source":"$.data.results[*].provider_id","class":"measure","doc":"The lab's code of the result."},{"name":"source_markers","type":["null","string"],"default":null,"source":"$.data.results[*].source_markers","class":"measure","json":true,"doc":"The ordered markers that yielded the result, as sent."},{"name":"performing_laboratory","type":["null","string"],"default":null,"source":"$.data.results[*].performing_laboratory","class":"measure","doc":"Laboratory that performed the test."},{"name":"source_sample_id","type":["null","string"],"default":null,"source":"$.data.results[*].source_sample_id","class":"key","doc":"Id of the sample."},{"name":"fields_extra","type":["null","string"],"default":null,"class":"patient","json":true,"doc":"Unknown members of the result, and members whose value does not fit the type of their column. A JSON object with the values as sent, which may identify people."}]}},"default":[],"source":"$.data.results","class":"measure","doc":"The results, as sent."},{"name":"missing","type":{"type":"array","items":{"type":"record","name":"LabMissingResult","doc":"A result that the lab could not provide.","fields":[{"name":"name","type":["null","string"],"default":null,"source":"$.data.missing_results[*].name","class":"measure","doc":"Name of the result."},{"name":"slug","type":["null","string"],"default":null,"source":"$.data.missing_results[*].slug","class":"measure","doc":"Slug of the result."},{"name":"inferred_failure_type","type":["null","string"],"default":null,"source":"$.data.missing_results[*].inferred_failure_type","class":"measure","doc":"Reason why the result is missing, as inferred by the service."},{"name":"note","type":["null","string"],"default":null,"source":"$.data.missing_results[*].note","class":"free_text","doc":"The lab's note on the missing result."},{"name":"loinc","type":["null","string"],"default":null,"source":"$.data.missing_results[*].loinc","class":"measure","doc":"LOINC code."},{"name":"loinc_slug","type":["null","string"],"default":null,"source":"$.data.missing_results[*].loinc_slug","class":"measure","doc":"Slug of the LOINC code."},{"name":"provider_id","type":["null","string"],"default":null,"source":"$.data.missing_results[*].provider_id","class":"measure","doc":"The lab's code."}]}},"default":[],"source":"$.data.missing_results","class":"measure","doc":"Results that the lab could not provide."},{"name":"sample_information","type":["null","string"],"default":null,"source":"$.data.sample_information","class":"measure","json":true,"doc":"The samples, as sent."},{"name":"order_transaction","type":["null","string"],"default":null,"source":"$.data.order_transaction","class":"measure","json":true,"doc":"The transaction of the order, as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  lab_tests: {"type":"record","name":"LabTest","namespace":"aorta","doc":"A lab test of the team. One row per test: the newest answer that differs from the previous one.","aorta":{"shape":"event","revision":2,"prefixes":["service.lab_test."],"endings":["polled"],"user":"optional","table":"lab_tests","key":["id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the test."},{"name":"name","type":["null","string"],"default":null,"source":"$.data.name","class":"measure","doc":"Name."},{"name":"slug","type":["null","string"],"default":null,"source":"$.data.slug","class":"measure","doc":"Slug."},{"name":"description","type":["null","string"],"default":null,"source":"$.data.description","class":"measure","doc":"Description."},{"name":"sample_type","type":["null","string"],"default":null,"source":"$.data.sample_type","class":"measure","doc":"Type of sample."},{"name":"method","type":["null","string"],"default":null,"source":"$.data.method","class":"measure","doc":"Collection method."},{"name":"price","type":["null","double"],"default":null,"source":"$.data.price","class":"measure","doc":"Price."},{"name":"is_active","type":["null","boolean"],"default":null,"source":"$.data.is_active","class":"measure","doc":"Whether the test can be ordered. Deprecated by the service."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`active`, `pending_approval` or `inactive`."},{"name":"fasting","type":["null","boolean"],"default":null,"source":"$.data.fasting","class":"measure","doc":"Whether the test requires fasting."},{"name":"lab","type":["null","string"],"default":null,"source":"$.data.lab","class":"measure","json":true,"doc":"The lab, as sent."},{"name":"markers","type":["null","string"],"default":null,"source":"$.data.markers","class":"measure","json":true,"doc":"The markers that the test measures, as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  meal: {"type":"record","name":"Meal","namespace":"aorta","doc":"One meal of a user.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.meal."],"endings":["created","updated","backfilled"],"table":"meal","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"priority_id","type":["null","long"],"default":null,"source":"$.data.priority_id","class":"measure","doc":"Deprecated by the service. It has no meaning."},{"name":"source_id","type":["null","long"],"default":null,"source":"$.data.source_id","class":"measure","doc":"Deprecated by the service. It has no meaning."},{"name":"provider_id","type":["null","string"],"default":null,"source":"$.data.provider_id","class":"key","doc":"A copy of the id. Deprecated by the service."},{"name":"eaten_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.timestamp","class":"measure","doc":"When the meal was eaten."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day of the meal, as the user recorded it."},{"name":"meal_name","type":["null","string"],"default":null,"source":"$.data.name","class":"free_text","doc":"Name of the meal."},{"name":"energy_kcal","type":["null","double"],"default":null,"source":"$.data.energy.value","class":"measure","unit":"kcal","unitMember":"unit","doc":"Energy. A value in another unit is in extra."},{"name":"energy_unit","type":["null","string"],"default":null,"source":"$.data.energy.unit","class":"measure","doc":"Unit of the energy, as sent."},{"name":"carbs_g","type":["null","double"],"default":null,"source":"$.data.macros.carbs","class":"measure","unit":"g","doc":"Carbohydrates."},{"name":"protein_g","type":["null","double"],"default":null,"source":"$.data.macros.protein","class":"measure","unit":"g","doc":"Protein."},{"name":"fat_total_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.total","class":"measure","unit":"g","doc":"Fat."},{"name":"fat_saturated_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.saturated","class":"measure","unit":"g","doc":"Saturated fat."},{"name":"fat_monounsaturated_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.monounsaturated","class":"measure","unit":"g","doc":"Monounsaturated fat."},{"name":"fat_polyunsaturated_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.polyunsaturated","class":"measure","unit":"g","doc":"Polyunsaturated fat."},{"name":"fat_omega3_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.omega3","class":"measure","unit":"g","doc":"Omega-3 fatty acids."},{"name":"fat_omega6_g","type":["null","double"],"default":null,"source":"$.data.macros.fats.omega6","class":"measure","unit":"g","doc":"Omega-6 fatty acids."},{"name":"alcohol_g","type":["null","double"],"default":null,"source":"$.data.macros.alcohol","class":"measure","unit":"g","doc":"Alcohol."},{"name":"water_g","type":["null","double"],"default":null,"source":"$.data.macros.water","class":"measure","unit":"g","doc":"Water."},{"name":"fibre_g","type":["null","double"],"default":null,"source":"$.data.macros.fibre","class":"measure","unit":"g","doc":"Dietary fibre."},{"name":"sugar_g","type":["null","double"],"default":null,"source":"$.data.macros.sugar","class":"measure","unit":"g","doc":"Sugar."},{"name":"cholesterol_g","type":["null","double"],"default":null,"source":"$.data.macros.cholesterol","class":"measure","unit":"g","doc":"Cholesterol."},{"name":"minerals","type":["null","string"],"default":null,"source":"$.data.micros.minerals","class":"measure","unit":"mg","json":true,"doc":"Amounts by mineral, in milligrams."},{"name":"trace_elements","type":["null","string"],"default":null,"source":"$.data.micros.trace_elements","class":"measure","json":true,"doc":"Amounts by trace element: copper and manganese in milligrams, the others in micrograms."},{"name":"vitamins","type":["null","string"],"default":null,"source":"$.data.micros.vitamins","class":"measure","json":true,"doc":"Amounts by vitamin: A, B12, D, K, biotin and folic acid in micrograms, the others in milligrams."},{"name":"data_source_app_id","type":["null","string"],"default":null,"source":"$.data.source_app_id","class":"measure","doc":"Id of the app in the data object, if the service repeats it there."},{"name":"data_source_device_id","type":["null","string"],"default":null,"source":"$.data.source_device_id","class":"measure","doc":"Id of the device record in the data object, if the service repeats it there."},{"name":"foods","type":["null","string"],"default":null,"source":"$.data.data","class":"free_text","json":true,"doc":"Energy, macronutrients and micronutrients by food. The user may have entered the name of the food. `meal_foods` has a row for each."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  menstrual_cycle: {"type":"record","name":"MenstrualCycle","namespace":"aorta","doc":"One menstrual cycle of a user, with the observations on its days.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.menstrual_cycle."],"endings":["created","updated","backfilled"],"table":"menstrual_cycle","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"period_start","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.period_start","class":"measure","doc":"First day of the period."},{"name":"period_end","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.period_end","class":"measure","doc":"Last day of the period."},{"name":"cycle_end","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.cycle_end","class":"measure","doc":"Last day of the cycle."},{"name":"is_predicted","type":["null","boolean"],"default":null,"source":"$.data.is_predicted","class":"measure","doc":"Whether the provider predicted the cycle."},{"name":"menstrual_flow","type":{"type":"array","items":{"type":"record","name":"MenstrualFlow","doc":"Menstrual flow on a day.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.menstrual_flow[*].date","class":"measure","doc":"The local day."},{"name":"flow","type":["null","string"],"default":null,"source":"$.data.menstrual_flow[*].flow","class":"measure","doc":"`unspecified`, `none`, `light`, `medium` or `heavy`."}]}},"default":[],"source":"$.data.menstrual_flow","class":"measure","doc":"Flow by day."},{"name":"cervical_mucus","type":{"type":"array","items":{"type":"record","name":"CervicalMucus","doc":"Cervical mucus on a day.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.cervical_mucus[*].date","class":"measure","doc":"The local day."},{"name":"quality","type":["null","string"],"default":null,"source":"$.data.cervical_mucus[*].quality","class":"measure","doc":"`dry`, `sticky`, `creamy`, `watery` or `egg_white`."}]}},"default":[],"source":"$.data.cervical_mucus","class":"measure","doc":"Cervical mucus by day."},{"name":"intermenstrual_bleeding","type":{"type":"array","items":{"type":"record","name":"IntermenstrualBleeding","doc":"A day of bleeding between periods.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.intermenstrual_bleeding[*].date","class":"measure","doc":"The local day."}]}},"default":[],"source":"$.data.intermenstrual_bleeding","class":"measure","doc":"Days of bleeding between periods."},{"name":"contraceptive","type":{"type":"array","items":{"type":"record","name":"Contraceptive","doc":"A contraceptive on a day.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.contraceptive[*].date","class":"measure","doc":"The local day."},{"name":"contraceptive_type","type":["null","string"],"default":null,"source":"$.data.contraceptive[*].type","class":"measure","doc":"`unspecified`, `implant`, `injection`, `iud`, `intravaginal_ring`, `oral` or `patch`."}]}},"default":[],"source":"$.data.contraceptive","class":"measure","doc":"Contraceptives by day."},{"name":"detected_deviations","type":{"type":"array","items":{"type":"record","name":"DetectedDeviation","doc":"A deviation that was detected.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.detected_deviations[*].date","class":"measure","doc":"The local day."},{"name":"deviation","type":["null","string"],"default":null,"source":"$.data.detected_deviations[*].deviation","class":"measure","doc":"`persistent_intermenstrual_bleeding`, `prolonged_menstrual_periods`, `irregular_menstrual_cycles` or `infrequent_menstrual_cycles`."}]}},"default":[],"source":"$.data.detected_deviations","class":"measure","doc":"Detected deviations by day."},{"name":"ovulation_test","type":{"type":"array","items":{"type":"record","name":"OvulationTest","doc":"An ovulation test.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.ovulation_test[*].date","class":"measure","doc":"The local day."},{"name":"test_result","type":["null","string"],"default":null,"source":"$.data.ovulation_test[*].test_result","class":"measure","doc":"`negative`, `positive`, `luteinizing_hormone_surge`, `estrogen_surge` or `indeterminate`."}]}},"default":[],"source":"$.data.ovulation_test","class":"measure","doc":"Ovulation tests by day."},{"name":"home_pregnancy_test","type":{"type":"array","items":{"type":"record","name":"HomePregnancyTest","doc":"A home pregnancy test.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.home_pregnancy_test[*].date","class":"measure","doc":"The local day."},{"name":"test_result","type":["null","string"],"default":null,"source":"$.data.home_pregnancy_test[*].test_result","class":"measure","doc":"`negative`, `positive` or `indeterminate`."}]}},"default":[],"source":"$.data.home_pregnancy_test","class":"measure","doc":"Home pregnancy tests by day."},{"name":"home_progesterone_test","type":{"type":"array","items":{"type":"record","name":"HomeProgesteroneTest","doc":"A home progesterone test.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.home_progesterone_test[*].date","class":"measure","doc":"The local day."},{"name":"test_result","type":["null","string"],"default":null,"source":"$.data.home_progesterone_test[*].test_result","class":"measure","doc":"`negative`, `positive` or `indeterminate`."}]}},"default":[],"source":"$.data.home_progesterone_test","class":"measure","doc":"Home progesterone tests by day."},{"name":"sexual_activity","type":{"type":"array","items":{"type":"record","name":"SexualActivity","doc":"Sexual activity on a day.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.sexual_activity[*].date","class":"measure","doc":"The local day."},{"name":"protection_used","type":["null","boolean"],"default":null,"source":"$.data.sexual_activity[*].protection_used","class":"measure","doc":"Whether protection was used."}]}},"default":[],"source":"$.data.sexual_activity","class":"measure","doc":"Sexual activity by day."},{"name":"basal_body_temperature","type":{"type":"array","items":{"type":"record","name":"BasalBodyTemperature","doc":"Basal body temperature on a day.","fields":[{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.basal_body_temperature[*].date","class":"measure","doc":"The local day."},{"name":"temperature_c","type":["null","double"],"default":null,"source":"$.data.basal_body_temperature[*].value","class":"measure","unit":"°C","doc":"Temperature."}]}},"default":[],"source":"$.data.basal_body_temperature","class":"measure","doc":"Basal body temperature by day."},{"name":"data_source_provider","type":["null","string"],"default":null,"source":"$.data.source_provider","class":"key","doc":"Slug of the provider in the data object, if the service repeats it there."},{"name":"data_source_type","type":["null","string"],"default":null,"source":"$.data.source_type","class":"key","doc":"Kind of device or origin in the data object, if the service repeats it there."},{"name":"data_source_app_id","type":["null","string"],"default":null,"source":"$.data.source_app_id","class":"measure","doc":"Id of the app in the data object, if the service repeats it there."},{"name":"data_source_device_id","type":["null","string"],"default":null,"source":"$.data.source_device_id","class":"measure","doc":"Id of the device record in the data object, if the service repeats it there."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  notes: {"type":"record","name":"Note","namespace":"aorta","doc":"A batch of notes that a user wrote. Fields with a value per sample are arrays, as in timeseries.","aorta":{"shape":"timeseries","revision":2,"endings":["created","updated","backfilled"],"table":"notes","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.note."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` if the provider sends local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"data_source_id","type":["null","long"],"default":null,"source":"$.data.source_id","class":"measure","doc":"Number of the source in the old event format. It has no meaning."},{"name":"legacy_provider","type":["null","string"],"default":null,"source":"$.data.provider","class":"measure","json":true,"doc":"Name, slug and logo of the provider in the old event format."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of the period that the note is about."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"end_at","type":{"type":"array","items":["null",{"type":"long","logicalType":"timestamp-micros"}]},"default":[],"per":"sample","source":"$.data.data[*].end","class":"measure","doc":"End of the period that the note is about (exclusive)."},{"name":"text","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].value","class":"free_text","doc":"Text of the note."},{"name":"tags","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].tags","class":"measure","json":true,"doc":"Subjects of the note, as a JSON array of `food`, `exercise`, `insulin_injection` or `unspecified`."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the note."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"`text`, as sent."},{"name":"sample_id","type":{"type":"array","items":["null","long"]},"default":[],"per":"sample","source":"$.data.data[*].id","class":"measure","doc":"Number of the sample. Deprecated by the service."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  profile: {"type":"record","name":"Profile","namespace":"aorta","doc":"A user's profile at a provider. One profile per user and provider.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.profile."],"endings":["created","updated","backfilled"],"table":"profile","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"height_cm","type":["null","double"],"default":null,"source":"$.data.height","class":"measure","unit":"cm","doc":"Height."},{"name":"birth_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.birth_date","class":"identifier","doc":"Date of birth."},{"name":"wheelchair_use","type":["null","boolean"],"default":null,"source":"$.data.wheelchair_use","class":"measure","doc":"Whether the user uses a wheelchair."},{"name":"gender","type":["null","string"],"default":null,"source":"$.data.gender","class":"measure","doc":"`female`, `male`, `other` or `unknown`."},{"name":"sex","type":["null","string"],"default":null,"source":"$.data.sex","class":"measure","doc":"`female`, `male` or `other`."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  raw_events: {"type":"record","name":"RawEvent","namespace":"aorta","doc":"Data as a provider sent it to the service, in the provider's own form. The stream keeps all of it. It may identify people, so the table has it only if identifiers are switched on.","aorta":{"shape":"event","revision":2,"prefixes":["raw."],"endings":["*"],"table":"raw_events","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id","provider"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"provider","type":"string","class":"key","doc":"Slug of the provider, from the event type."},{"name":"dataset","type":"string","class":"key","doc":"The provider's dataset, from the event type."},{"name":"payload","type":"string","source":"$.data","class":"identifier","json":true,"doc":"The data as sent. A number that a double cannot hold exactly is stored as text."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  sent_resources: {"type":"record","name":"SentResource","namespace":"aorta","doc":"The amount of data that the service has, and has sent, for one resource of a user's provider. One row per resource: the newest answer.","aorta":{"shape":"event","revision":2,"prefixes":["service.resource."],"endings":["polled"],"table":"sent_resources","key":["user_id","provider","resource"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"provider","type":"string","source":"$.data.provider","class":"key","doc":"Slug of the provider."},{"name":"resource","type":"string","source":"$.data.resource","class":"key","doc":"Resource, as in the service's introspection."},{"name":"sent_count","type":["null","long"],"default":null,"source":"$.data.sent_count","class":"measure","unit":"count","doc":"Number of objects that the service sent in `*.created` events."},{"name":"oldest_data","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.oldest_data","class":"measure","doc":"Time of the oldest data."},{"name":"newest_data","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.newest_data","class":"measure","doc":"Time of the newest data."},{"name":"last_attempt_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.last_attempt.timestamp","class":"measure","doc":"When the service last asked the provider for data."},{"name":"last_attempt_status","type":["null","string"],"default":null,"source":"$.data.last_attempt.status","class":"measure","doc":"`success` or `failure`."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  sleep: {"type":"record","name":"Sleep","namespace":"aorta","doc":"One sleep session of a user.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.sleep."],"endings":["created","updated","backfilled"],"table":"sleep","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"date_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.date","class":"measure","doc":"Start of the day of the session. Deprecated by the service; use calendar_date."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day of the session, normally the day on which it ends."},{"name":"bedtime_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.bedtime_start","class":"measure","doc":"Start of the session."},{"name":"bedtime_stop","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.bedtime_stop","class":"measure","doc":"End of the session."},{"name":"sleep_type","type":["null","string"],"default":null,"source":"$.data.type","class":"measure","doc":"`long_sleep`, `short_sleep`, `acknowledged_nap` or `unknown`."},{"name":"timezone_offset_s","type":["null","int"],"default":null,"source":"$.data.timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"duration_s","type":["null","long"],"default":null,"source":"$.data.duration","class":"measure","unit":"s","doc":"Duration from start to end."},{"name":"total_s","type":["null","long"],"default":null,"source":"$.data.total","class":"measure","unit":"s","doc":"Time asleep: light, REM and deep."},{"name":"awake_s","type":["null","long"],"default":null,"source":"$.data.awake","class":"measure","unit":"s","doc":"Time awake."},{"name":"light_s","type":["null","long"],"default":null,"source":"$.data.light","class":"measure","unit":"s","doc":"Time in light sleep."},{"name":"rem_s","type":["null","long"],"default":null,"source":"$.data.rem","class":"measure","unit":"s","doc":"Time in REM sleep."},{"name":"deep_s","type":["null","long"],"default":null,"source":"$.data.deep","class":"measure","unit":"s","doc":"Time in deep sleep."},{"name":"score","type":["null","long"],"default":null,"source":"$.data.score","class":"measure","doc":"Sleep score of the provider."},{"name":"recovery_readiness_score","type":["null","long"],"default":null,"source":"$.data.recovery_readiness_score","class":"measure","doc":"Recovery or readiness score of the provider."},{"name":"hr_lowest_bpm","type":["null","long"],"default":null,"source":"$.data.hr_lowest","class":"measure","unit":"bpm","doc":"Lowest heart rate."},{"name":"hr_average_bpm","type":["null","long"],"default":null,"source":"$.data.hr_average","class":"measure","unit":"bpm","doc":"Average heart rate."},{"name":"hr_resting_bpm","type":["null","long"],"default":null,"source":"$.data.hr_resting","class":"measure","unit":"bpm","doc":"Resting heart rate."},{"name":"efficiency","type":["null","double"],"default":null,"source":"$.data.efficiency","class":"measure","doc":"Fraction of the session that the user was asleep. Some providers send 0.97, others 97."},{"name":"latency_s","type":["null","long"],"default":null,"source":"$.data.latency","class":"measure","unit":"s","doc":"Time to fall asleep."},{"name":"temperature_delta_c","type":["null","double"],"default":null,"source":"$.data.temperature_delta","class":"measure","unit":"°C","doc":"Deviation of the skin temperature from its usual value."},{"name":"skin_temperature_c","type":["null","double"],"default":null,"source":"$.data.skin_temperature","class":"measure","unit":"°C","doc":"Skin temperature."},{"name":"hr_dip_pct","type":["null","double"],"default":null,"source":"$.data.hr_dip","class":"measure","unit":"%","doc":"Dip of the heart rate during sleep."},{"name":"state","type":["null","string"],"default":null,"source":"$.data.state","class":"measure","doc":"`tentative` or `confirmed`."},{"name":"average_hrv_ms","type":["null","double"],"default":null,"source":"$.data.average_hrv","class":"measure","unit":"ms","doc":"Average heart rate variability (RMSSD)."},{"name":"respiratory_rate_per_min","type":["null","double"],"default":null,"source":"$.data.respiratory_rate","class":"measure","unit":"1/min","doc":"Breaths per minute."},{"name":"sleep_stream","type":["null","string"],"default":null,"source":"$.data.sleep_stream","class":"measure","json":true,"doc":"Series of values of the session. Deprecated by the service."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  sleep_cycle: {"type":"record","name":"SleepCycle","namespace":"aorta","doc":"The stages of one sleep session, as three parallel lists. `sleep_cycle_stages` has a row for each stage.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.sleep_cycle."],"endings":["created","updated","backfilled"],"table":"sleep_cycle","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"sleep_id","type":["null","string"],"default":null,"source":"$.data.sleep_id","class":"key","doc":"Id of the session in `sleep`."},{"name":"session_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.session_start","class":"measure","doc":"Start of the session."},{"name":"session_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.session_end","class":"measure","doc":"End of the session."},{"name":"stage_start_offset_s","type":{"type":"array","items":"long"},"default":[],"source":"$.data.stage_start_offset_second","class":"measure","unit":"s","doc":"Start of each stage, counted from the start of the session."},{"name":"stage_end_offset_s","type":{"type":"array","items":"long"},"default":[],"source":"$.data.stage_end_offset_second","class":"measure","unit":"s","doc":"End of each stage, counted from the start of the session."},{"name":"stage_type","type":{"type":"array","items":"long"},"default":[],"source":"$.data.stage_type","class":"measure","doc":"Kind of each stage: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual."},{"name":"time_zone","type":["null","string"],"default":null,"source":"$.data.time_zone","class":"measure","doc":"IANA time zone."},{"name":"data_source_provider","type":["null","string"],"default":null,"source":"$.data.source_provider","class":"key","doc":"Slug of the provider in the data object, if the service repeats it there."},{"name":"data_source_type","type":["null","string"],"default":null,"source":"$.data.source_type","class":"key","doc":"Kind of device or origin in the data object, if the service repeats it there."},{"name":"data_source_app_id","type":["null","string"],"default":null,"source":"$.data.source_app_id","class":"measure","doc":"Id of the app in the data object, if the service repeats it there."},{"name":"data_source_device_id","type":["null","string"],"default":null,"source":"$.data.source_device_id","class":"measure","doc":"Id of the device record in the data object, if the service repeats it there."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  timeseries: {"type":"record","name":"Timeseries","namespace":"aorta","doc":"A batch of samples of one timeseries resource. Fields with a value per sample are arrays. An array is empty if no sample has a value, and has one entry if all samples have the same value. Otherwise it has one entry per sample, as `start_at` always does.","aorta":{"shape":"timeseries","revision":2,"endings":["created","updated","backfilled"],"table":"timeseries","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.active_energy_burned.","daily.data.afib_burden.","daily.data.basal_body_temperature.","daily.data.basal_energy_burned.","daily.data.blood_oxygen.","daily.data.body_mass_index.","daily.data.body_temperature.","daily.data.body_temperature_delta.","daily.data.caffeine.","daily.data.calories_active.","daily.data.calories_basal.","daily.data.carbohydrates.","daily.data.cholesterol.","daily.data.daylight_exposure.","daily.data.distance.","daily.data.distance_running_walking.","daily.data.electrocardiogram_voltage.","daily.data.fall.","daily.data.fat.","daily.data.floors_climbed.","daily.data.forced_expiratory_volume_1.","daily.data.forced_vital_capacity.","daily.data.glucose.","daily.data.handwashing.","daily.data.heart_rate_alert.","daily.data.heart_rate_recovery_one_minute.","daily.data.heartrate.","daily.data.hrv.","daily.data.hypnogram.","daily.data.ige.","daily.data.igg.","daily.data.inhaler_usage.","daily.data.insulin_injection.","daily.data.lean_body_mass.","daily.data.mindfulness_minutes.","daily.data.peak_expiratory_flow_rate.","daily.data.respiratory_rate.","daily.data.sleep_apnea_alert.","daily.data.sleep_breathing_disturbance.","daily.data.stand_duration.","daily.data.stand_hour.","daily.data.steps.","daily.data.stress_level.","daily.data.uv_exposure.","daily.data.vo2_max.","daily.data.waist_circumference.","daily.data.water.","daily.data.weight.","daily.data.wheelchair_push.","daily.data.workout_distance.","daily.data.workout_duration.","daily.data.workout_swimming_stroke."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` if the provider sends local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"data_source_id","type":["null","long"],"default":null,"source":"$.data.source_id","class":"measure","doc":"Number of the source in the old event format. It has no meaning."},{"name":"legacy_provider","type":["null","string"],"default":null,"source":"$.data.provider","class":"measure","json":true,"doc":"Name, slug and logo of the provider in the old event format."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of the interval, or time of the sample."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"end_at","type":{"type":"array","items":["null",{"type":"long","logicalType":"timestamp-micros"}]},"default":[],"per":"sample","source":"$.data.data[*].end","class":"measure","doc":"End of the interval (exclusive), for interval resources."},{"name":"value","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].value","class":"measure","doc":"The measured value."},{"name":"sensor_location","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].sensor_location","class":"measure","doc":"Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures."},{"name":"intensity","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].intensity","class":"measure","doc":"`low`, `medium` or `high`. Only for workout_duration."},{"name":"delivery_mode","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].delivery_mode","class":"measure","doc":"`basal` or `bolus`. Only for insulin_injection."},{"name":"delivery_form","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].delivery_form","class":"measure","doc":"`standard` or `extended`. Only for insulin_injection."},{"name":"bolus_purpose","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].bolus_purpose","class":"measure","doc":"`meal`, `correction`, `mixed` or `unknown`. Only for insulin_injection."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the sample. It is part of the key if several samples may have the same time."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"Unit of the value, as sent."},{"name":"sample_id","type":{"type":"array","items":["null","long"]},"default":[],"per":"sample","source":"$.data.data[*].id","class":"measure","doc":"Number of the sample. Deprecated by the service."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  user_connections: {"type":"record","name":"UserConnection","namespace":"aorta","doc":"A connection of a user to a provider, as the service reports its state. One row per user and provider: the newest answer that differs from the previous one.","aorta":{"shape":"event","revision":2,"prefixes":["service.connection."],"endings":["polled"],"table":"user_connections","key":["user_id","provider"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"provider","type":"string","source":"$.data.slug","class":"key","doc":"Slug of the provider."},{"name":"provider_name","type":["null","string"],"default":null,"source":"$.data.name","class":"measure","doc":"Display name of the provider."},{"name":"provider_logo","type":["null","string"],"default":null,"source":"$.data.logo","class":"measure","doc":"URL of an icon."},{"name":"status","type":["null","string"],"default":null,"source":"$.data.status","class":"measure","doc":"`connected`, `error`, or `gone` if the service no longer lists the connection."},{"name":"created_on","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_on","class":"measure","doc":"When the user connected the provider."},{"name":"external_user_id","type":["null","string"],"default":null,"source":"$.data.external_user_id","class":"identifier","doc":"The user's name or e-mail address at the provider."},{"name":"error_details","type":["null","string"],"default":null,"source":"$.data.error_details","class":"free_text","json":true,"doc":"Error of the connection, as sent."},{"name":"resource_availability","type":["null","string"],"default":null,"source":"$.data.resource_availability","class":"measure","json":true,"doc":"For each resource: its status, and the scopes that the user granted or denied."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  user_states: {"type":"record","name":"UserState","namespace":"aorta","doc":"Whether a user is in the service's list of users. One row per user: the last change.","aorta":{"shape":"event","revision":2,"prefixes":["service.user_state."],"endings":["present","missing"],"table":"user_states","key":["user_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"state","type":["null","string"],"default":null,"source":"$.data.state","class":"measure","doc":"`present`, or `missing` if the user was deleted. A deletion can be undone for 7 days."},{"name":"since","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.since","class":"measure","doc":"When the pipeline noticed the change."},{"name":"erase_after","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.erase_after","class":"measure","doc":"When the data of a missing user should be erased."},{"name":"returned","type":["null","boolean"],"default":null,"source":"$.data.returned","class":"measure","doc":"Whether a present user was missing before."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  users: {"type":"record","name":"ServiceUser","namespace":"aorta","doc":"A user in the service's list of users. One row per user: the newest answer that differs from the previous one.","aorta":{"shape":"event","revision":3,"prefixes":["service.user."],"endings":["polled"],"table":"users","key":["user_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"data_team_id","type":["null","string"],"default":null,"source":"$.data.team_id","class":"key","doc":"Team of the user."},{"name":"created_on","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_on","class":"measure","doc":"When the user was created."},{"name":"fallback_time_zone","type":["null","string"],"default":null,"source":"$.data.fallback_time_zone.id","class":"measure","doc":"IANA time zone for sources that have none."},{"name":"fallback_time_zone_source","type":["null","string"],"default":null,"source":"$.data.fallback_time_zone.source_slug","class":"measure","doc":"Origin of the fallback time zone."},{"name":"fallback_time_zone_updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.fallback_time_zone.updated_at","class":"measure","doc":"When the fallback time zone was set."},{"name":"fallback_birth_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.fallback_birth_date.value","class":"identifier","doc":"Birth date for providers that give no age."},{"name":"fallback_birth_date_source","type":["null","string"],"default":null,"source":"$.data.fallback_birth_date.source_slug","class":"measure","doc":"Origin of the fallback birth date."},{"name":"fallback_birth_date_updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.fallback_birth_date.updated_at","class":"measure","doc":"When the fallback birth date was set."},{"name":"ingestion_start","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.ingestion_start","class":"measure","doc":"First date of ingested data."},{"name":"ingestion_end","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.ingestion_end","class":"measure","doc":"Last date of ingested data."},{"name":"connected_sources","type":["null","string"],"default":null,"source":"$.data.connected_sources","class":"measure","json":true,"doc":"Connected providers, as sent."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  workout_stream: {"type":"record","name":"WorkoutStream","namespace":"aorta","doc":"An event which announces that a workout has a stream of points. With a retired event type, it announces that the workout has none. The event does not contain the stream. One row per user and workout: the newest event.","aorta":{"shape":"event","revision":2,"prefixes":["daily.data.workout_stream.","daily.workout_stream."],"endings":["created","updated","unavailable","backfilled"],"table":"workout_stream_events","key":["user_id","workout_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id","workout_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"workout_id","type":"string","source":"$.data.workout_id","class":"key","doc":"Id of the workout in `workouts`."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"provider_id","type":["null","string"],"default":null,"source":"$.data.provider_id","class":"key","doc":"Id of the workout at the provider."},{"name":"message","type":["null","string"],"default":null,"source":"$.data.message","class":"measure","doc":"The service's message about the stream."},{"name":"sport_id","type":["null","long"],"default":null,"source":"$.data.sport.id","class":"measure","doc":"Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug."},{"name":"sport_name","type":["null","string"],"default":null,"source":"$.data.sport.name","class":"measure","doc":"Display name of the sport."},{"name":"sport_slug","type":["null","string"],"default":null,"source":"$.data.sport.slug","class":"measure","doc":"Slug of the sport."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  workout_streams: {"type":"record","name":"WorkoutPoints","namespace":"aorta","doc":"The stream of points of a workout, fetched after an event announced it. One row per user and workout: the newest answer.","aorta":{"shape":"event","revision":2,"prefixes":["service.workout_stream."],"endings":["fetched","not_fetched"],"table":"workout_streams","key":["user_id","workout_id"],"order":["_received_at","_origin","_offset","_reader"],"cluster":["user_id","workout_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where the answer came from, and when the service answered, by the service's clock."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event that was created from the answer."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"workout_id","type":"string","source":"$.data.workout_id","class":"key","doc":"Id of the workout in `workouts`."},{"name":"points","type":{"type":"array","items":{"type":"record","name":"WorkoutPoint","doc":"A point of a workout. A value is NULL if its column is shorter than the others, or has no number at this point.","fields":[{"name":"time_s","type":["null","long"],"default":null,"source":"$.data.stream.time[*]","class":"measure","unit":"s","doc":"Time of the point, as sent."},{"name":"point_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"measure","doc":"Time of the point; NULL if the sent time is not in this century."},{"name":"heart_rate_bpm","type":["null","double"],"default":null,"source":"$.data.stream.heartrate[*]","class":"measure","unit":"bpm","doc":"Heart rate."},{"name":"cadence","type":["null","double"],"default":null,"source":"$.data.stream.cadence[*]","class":"measure","unit":"1/min","doc":"Revolutions or steps per minute."},{"name":"altitude_m","type":["null","double"],"default":null,"source":"$.data.stream.altitude[*]","class":"measure","unit":"m","doc":"Altitude."},{"name":"speed_m_s","type":["null","double"],"default":null,"source":"$.data.stream.velocity_smooth[*]","class":"measure","unit":"m/s","doc":"Smoothed speed."},{"name":"distance_m","type":["null","double"],"default":null,"source":"$.data.stream.distance[*]","class":"measure","unit":"m","doc":"Distance since the start of the workout."},{"name":"power_w","type":["null","double"],"default":null,"source":"$.data.stream.power[*]","class":"measure","unit":"W","doc":"Power."},{"name":"resistance","type":["null","double"],"default":null,"source":"$.data.stream.resistance[*]","class":"measure","doc":"Resistance of the machine."},{"name":"temperature_c","type":["null","double"],"default":null,"source":"$.data.stream.temperature[*]","class":"measure","unit":"°C","doc":"Temperature."},{"name":"latitude_deg","type":["null","double"],"default":null,"source":"$.data.stream.lat[*]","class":"location","unit":"°","doc":"Latitude."},{"name":"longitude_deg","type":["null","double"],"default":null,"source":"$.data.stream.lng[*]","class":"location","unit":"°","doc":"Longitude."}]}},"default":[],"source":"$.data.stream","class":"measure","doc":"The points, as many as the longest sent column has."},{"name":"uneven","type":["null","boolean"],"default":null,"class":"measure","doc":"Whether the sent columns had different lengths."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  workouts: {"type":"record","name":"Workout","namespace":"aorta","doc":"One workout of a user.","aorta":{"shape":"summary","revision":2,"prefixes":["daily.data.workouts."],"endings":["created","updated","backfilled"],"table":"workouts","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The envelope of an event: the members around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Event type."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"The service's id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that created this record. A fix of the reader raises it, so that a replay updates existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"The origin of the data according to the provider, from the current or the old form of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` if missing."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, for workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Id of the workout, for workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Display name of the provider, in the old form."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"URL of an icon, in the old form."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary. The newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id in the data object, if the service repeats it there."},{"name":"title","type":["null","string"],"default":null,"source":"$.data.title","class":"free_text","doc":"Title of the workout."},{"name":"timezone_offset_s","type":["null","int"],"default":null,"source":"$.data.timezone_offset","class":"measure","unit":"s","doc":"Offset of local time from UTC, positive to the east."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day of the workout, normally the day on which it starts."},{"name":"time_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.time_start","class":"measure","doc":"Start of the workout."},{"name":"time_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.time_end","class":"measure","doc":"End of the workout."},{"name":"sport_id","type":["null","long"],"default":null,"source":"$.data.sport.id","class":"measure","doc":"Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug."},{"name":"sport_name","type":["null","string"],"default":null,"source":"$.data.sport.name","class":"measure","doc":"Display name of the sport."},{"name":"sport_slug","type":["null","string"],"default":null,"source":"$.data.sport.slug","class":"measure","doc":"Slug of the sport."},{"name":"average_hr_bpm","type":["null","double"],"default":null,"source":"$.data.average_hr","class":"measure","unit":"bpm","doc":"Average heart rate."},{"name":"max_hr_bpm","type":["null","double"],"default":null,"source":"$.data.max_hr","class":"measure","unit":"bpm","doc":"Highest heart rate."},{"name":"hr_zones_s","type":{"type":"array","items":"long"},"default":[],"source":"$.data.hr_zones","class":"measure","unit":"s","doc":"Time in each of six heart rate zones, from below 50 % to above 90 % of the maximum heart rate, in steps of 10 points. `workouts_hr_zones` has a row for each."},{"name":"distance_m","type":["null","double"],"default":null,"source":"$.data.distance","class":"measure","unit":"m","doc":"Distance."},{"name":"calories_kcal","type":["null","double"],"default":null,"source":"$.data.calories","class":"measure","unit":"kcal","doc":"Energy spent."},{"name":"moving_time_s","type":["null","long"],"default":null,"source":"$.data.moving_time","class":"measure","unit":"s","doc":"Moving time."},{"name":"total_elevation_gain_m","type":["null","double"],"default":null,"source":"$.data.total_elevation_gain","class":"measure","unit":"m","doc":"Elevation gain."},{"name":"elev_high_m","type":["null","double"],"default":null,"source":"$.data.elev_high","class":"measure","unit":"m","doc":"Highest altitude."},{"name":"elev_low_m","type":["null","double"],"default":null,"source":"$.data.elev_low","class":"measure","unit":"m","doc":"Lowest altitude."},{"name":"average_speed_m_s","type":["null","double"],"default":null,"source":"$.data.average_speed","class":"measure","unit":"m/s","doc":"Average speed."},{"name":"max_speed_m_s","type":["null","double"],"default":null,"source":"$.data.max_speed","class":"measure","unit":"m/s","doc":"Highest speed."},{"name":"average_watts","type":["null","double"],"default":null,"source":"$.data.average_watts","class":"measure","unit":"W","doc":"Average power."},{"name":"device_watts","type":["null","double"],"default":null,"source":"$.data.device_watts","class":"measure","unit":"W","doc":"Power measured by the device."},{"name":"max_watts","type":["null","double"],"default":null,"source":"$.data.max_watts","class":"measure","unit":"W","doc":"Highest power."},{"name":"weighted_average_watts","type":["null","double"],"default":null,"source":"$.data.weighted_average_watts","class":"measure","unit":"W","doc":"Weighted average power."},{"name":"steps","type":["null","long"],"default":null,"source":"$.data.steps","class":"measure","unit":"count","doc":"Number of steps."},{"name":"map_polyline","type":["null","string"],"default":null,"source":"$.data.map.polyline","class":"location","doc":"Route, as an encoded polyline."},{"name":"map_summary_polyline","type":["null","string"],"default":null,"source":"$.data.map.summary_polyline","class":"location","doc":"Route, as an encoded polyline of lower resolution."},{"name":"provider_id","type":["null","string"],"default":null,"source":"$.data.provider_id","class":"key","doc":"Id of the workout at the provider."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary. It decides which version of the row is the newest."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path."}]},
  dead_letters: {"type":"record","name":"DeadLetter","namespace":"aorta","doc":"A delivery with its original bytes, because the whole delivery or a part of it could not be read.","aorta":{"shape":"whole","revision":2,"prefixes":[],"endings":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, if the header or the body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, if it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, if the header or the body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"reason","type":"string","class":"measure","doc":"Reason code."},{"name":"stage","type":"string","class":"measure","doc":"Step that failed: receive, decompress, parse, route, read or encode."},{"name":"scope","type":"string","class":"measure","doc":"`whole` if no part of the delivery is in another stream. `part` if the delivery is in its stream without the parts in `places`."},{"name":"places","type":{"type":"array","items":"string"},"default":[],"class":"measure","doc":"Paths of the refused parts in the body."},{"name":"error_headers","type":{"type":"map","values":"string"},"class":"measure","doc":"Kafka Connect's error headers."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received. It is compressed if the delivery was compressed."},{"name":"file","type":["null","string"],"default":null,"source":null,"class":"measure","doc":"File that contained the delivery; null if it came from a broker or from the service."},{"name":"line","type":["null","long"],"default":null,"source":null,"class":"measure","doc":"Line of that file on which the delivery begins, counted from 1."}]},
  redelivered: {"type":"record","name":"Redelivered","namespace":"aorta","doc":"A whole delivery that the redelivery window already contained.","aorta":{"shape":"whole","revision":2,"prefixes":[],"endings":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, if the header or the body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, if it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, if the header or the body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received. It is compressed if the delivery was compressed."}]},
  unrouted: {"type":"record","name":"Unrouted","namespace":"aorta","doc":"A whole event whose type has no route, or has an ending that its stream does not read.","aorta":{"shape":"whole","revision":2,"prefixes":[],"endings":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when the delivery was received. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text. For a plain event file, the hash of its content."},{"name":"offset","type":"long","class":"key","doc":"Offset in the broker's partition, or ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"Time at which the broker appended the delivery. For a plain event file, the modification time of the file. For a webhook, the creation time in the message id."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"Header `idempotency-key` or `svix-id`, if present."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities the headers contain, as a sum: 1 for the event type, 2 for the user id. It helps to recognise redeliveries."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."},{"name":"arrived_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"class":"key","doc":"When the delivery arrived at Aorta, if Aorta received it itself. A webhook that was retried has a later time here than in received_at."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, if the header or the body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, if it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, if the header or the body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received. It is compressed if the delivery was compressed."}]},
};

export const streamNames = Object.keys(streamSchemas) as StreamName[];
