// Generated from schemas/streams/*.avsc by `npm run generate`. Do not edit.
import type { AvroRecord, StreamAttributes } from './declaration.ts';
/** Where and when a source handed the delivery over. Every record of every stream begins with it. */
export interface Receipt {
  /** Configured name of the source. */
  source: string;
  /** Partition of the source: its number as text, or the hash of its content for a plain event file. */
  partition: string;
  /** Offset in the partition: of the broker, or the ordinal of the event in its file. */
  offset: number;
  /** The broker's append time; a file's modification time for a plain event file. */
  received_at: number;
  /** `idempotency-key` or `svix-id` of the headers, if any. */
  delivery_id: string | null;
  /** Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by. */
  header_facts: number;
  /** Length of the uncompressed body. (byte) */
  body_bytes: number;
  /** CRC-32 of the uncompressed body. */
  body_crc32: number;
}

/** The members that every event of the service has around its data. */
export interface Envelope {
  /** Type of the event. */
  event_type: string;
  /** Team of the user. */
  team_id: string | null;
  /** Service id of the user. */
  user_id: string;
  /** The customer's own id of the user. */
  client_user_id: string | null;
}

/** Where the provider says the data comes from, in both generations of the source object. */
export interface Source {
  /** Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there. */
  provider: string;
  /** Kind of device or origin; `unknown` where absent. */
  source_type: string;
  /** Bundle or package id of the app. */
  source_app_id: string | null;
  /** Id of the service's device record. */
  source_device_id: string | null;
  /** Sport, on workout timeseries. */
  source_sport: string | null;
  /** Workout, on workout timeseries. */
  source_workout_id: string | null;
  /** Readable name of the provider (old generation). */
  source_name: string | null;
  /** Address of an icon (old generation). */
  source_logo: string | null;
}

/** One day of activity of a user, per source. */
export interface Activity {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary: the newest version of an id replaces the others. */
  id: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** The day at 00:00 UTC (deprecated by the service; use calendar_date). */
  date_at: number | null;
  /** The local day. */
  calendar_date: number | null;
  /** Energy spent, basal rate included. (kcal) */
  calories_total_kcal: number | null;
  /** Energy spent by activity. (kcal) */
  calories_active_kcal: number | null;
  /** Steps. (count) */
  steps: number | null;
  /** Distance moved (deprecated by the service; use distance_m). (m) */
  daily_movement_m: number | null;
  /** Distance moved. (m) */
  distance_m: number | null;
  /** Time of low activity. (min) */
  low_min: number | null;
  /** Time of medium activity. (min) */
  medium_min: number | null;
  /** Time of high activity. (min) */
  high_min: number | null;
  /** Floors climbed. (count) */
  floors_climbed: number | null;
  /** IANA time zone. */
  time_zone: string | null;
  /** Offset of local time, east of UTC. (s) */
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
  /** Pushes of a wheelchair. (count) */
  wheelchair_push: number | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary: the version of the row. */
  updated_at: number | null;
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A batch of blood pressure samples. Fields per sample are arrays, as in timeseries. */
export interface BloodPressure {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` where the provider writes local time marked as UTC. */
  time_basis: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** Start of the interval, or the moment of the sample. */
  start_at: number[];
  /** Offset of local time, east of UTC. (s) */
  timezone_offset_s: (number | null)[];
  /** Systolic pressure. (mmHg) */
  systolic_mmhg: (number | null)[];
  /** Diastolic pressure. (mmHg) */
  diastolic_mmhg: (number | null)[];
  /** Source type, workout id, sport and device id that the service grouped by. */
  grouping: (string | null)[];
  /** Type of the sample. */
  sample_type: (string | null)[];
  /** Unit of the value, as sent. */
  unit: (string | null)[];
  /** Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object. */
  sample_extra: (string | null)[];
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A provider was connected, or its connection broke. */
export interface Connection {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** Slug of the provider. */
  provider: string;
  /** Readable name of the provider. */
  provider_name: string | null;
  /** Address of an icon. */
  provider_logo: string | null;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** The user's name or e-mail at the provider. */
  external_user_id: string | null;
  /** Per resource: status, and which scopes were granted or denied. */
  resource_availability: string | null;
  /** The provider once more, under its deprecated name. */
  legacy_source: string | null;
  /** What the service says about the error. */
  message: string | null;
  /** Kind of the error. */
  error_type: string | null;
  /** Details of the error. */
  error_details: string | null;
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A historical pull of a resource has ended well; it carries no data. */
export interface HistoricalCompletion {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** Resource of the pull, as in the event type. */
  resource: string;
  /** Slug of the provider. */
  provider: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** Start of the range that was pulled. */
  range_start: number | null;
  /** End of the range that was pulled. */
  range_end: number | null;
  /** False on the parts of an old pull that are followed by more (deprecated by the service). */
  is_final: boolean | null;
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A batch of notes that a user wrote. Fields per sample are arrays, as in timeseries. */
export interface Note {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` where the provider writes local time marked as UTC. */
  time_basis: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** Start of what the note is about. */
  start_at: number[];
  /** Offset of local time, east of UTC. (s) */
  timezone_offset_s: (number | null)[];
  /** End of what the note is about (exclusive). */
  end_at: (number | null)[];
  /** What the user wrote. */
  text: (string | null)[];
  /** What the note refers to, a JSON array: food, exercise, insulin_injection, unspecified. */
  tags: (string | null)[];
  /** Type of the note. */
  sample_type: (string | null)[];
  /** `text`, as sent. */
  unit: (string | null)[];
  /** Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object. */
  sample_extra: (string | null)[];
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** One sleep session of a user. */
export interface Sleep {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** The source of the data. */
  origin: Source;
  /** Id of the summary: the newest version of an id replaces the others. */
  id: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** Start of the day of the session (deprecated by the service; use calendar_date). */
  date_at: number | null;
  /** The local day of the session, normally of its end. */
  calendar_date: number | null;
  /** Start of the session. */
  bedtime_start: number | null;
  /** End of the session. */
  bedtime_stop: number | null;
  /** long_sleep, short_sleep, acknowledged_nap, unknown. */
  sleep_type: string | null;
  /** Offset of local time, east of UTC. (s) */
  timezone_offset_s: number | null;
  /** End less start. (s) */
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
  /** Share of the session asleep: some providers send 0.97, others 97. */
  efficiency: number | null;
  /** Time to fall asleep. (s) */
  latency_s: number | null;
  /** Skin temperature against the usual one. (°C) */
  temperature_delta_c: number | null;
  /** Skin temperature. (°C) */
  skin_temperature_c: number | null;
  /** Dip of the heart rate. (%) */
  hr_dip_pct: number | null;
  /** tentative or confirmed. */
  state: string | null;
  /** Average heart rate variability (RMSSD). (ms) */
  average_hrv_ms: number | null;
  /** Breaths a minute. (1/min) */
  respiratory_rate_per_min: number | null;
  /** Series of the session (deprecated by the service). */
  sleep_stream: string | null;
  /** When the service first stored the summary. */
  created_at: number | null;
  /** When the service last changed the summary: the version of the row. */
  updated_at: number | null;
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A batch of samples of one timeseries resource. A field per sample is an array: empty, no sample has it; one entry, every sample has that one; else one entry a sample. `start_at` always has one entry a sample. */
export interface Timeseries {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** The envelope of the event. */
  event: Envelope;
  /** Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows. */
  reader: number;
  /** Timeseries resource, as in the event type. */
  resource: string;
  /** The source of the data. */
  origin: Source;
  /** `utc`, or `floating` where the provider writes local time marked as UTC. */
  time_basis: string;
  /** User id inside the data object, where the service repeats it. */
  data_user_id: string | null;
  /** Start of the interval, or the moment of the sample. */
  start_at: number[];
  /** Offset of local time, east of UTC. (s) */
  timezone_offset_s: (number | null)[];
  /** End of the interval (exclusive), on interval resources. */
  end_at: (number | null)[];
  /** The measured value. */
  value: (number | null)[];
  /** Where the temperature was taken: armpit, body, ear, finger and so on. Only of body temperatures. */
  sensor_location: (string | null)[];
  /** low, medium or high. Only of workout_duration. */
  intensity: (string | null)[];
  /** basal or bolus. Only of insulin_injection. */
  delivery_mode: (string | null)[];
  /** standard or extended. Only of insulin_injection. */
  delivery_form: (string | null)[];
  /** meal, correction, mixed or unknown. Only of insulin_injection. */
  bolus_purpose: (string | null)[];
  /** Type of the sample: part of the key where one moment holds several values. */
  sample_type: (string | null)[];
  /** Unit of the value, as sent. */
  unit: (string | null)[];
  /** Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object. */
  sample_extra: (string | null)[];
  /** Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path. */
  extra: string | null;
}

/** A delivery that could not be read, or a kept one of which parts could not, with its original bytes. */
export interface DeadLetter {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, where header or body could be read. */
  event_type: string | null;
  /** Team, where it could be read. */
  team_id: string | null;
  /** User, where header or body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Code of the reason. */
  reason: string;
  /** Step that gave up: receive, decompress, parse, route, read or encode. */
  stage: string;
  /** `whole`: nothing of the delivery reached another stream; `part`: the delivery was kept, and the places below were not. */
  scope: string;
  /** Paths into the body of what was refused. */
  places: string[];
  /** Kafka Connect's error headers. */
  error_headers: Record<string, string>;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received, compressed where it came compressed. */
  body: Buffer;
}

/** A delivery that its redelivery window already holds, whole. */
export interface Redelivered {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, where header or body could be read. */
  event_type: string | null;
  /** Team, where it could be read. */
  team_id: string | null;
  /** User, where header or body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received, compressed where it came compressed. */
  body: Buffer;
}

/** An event whose type no route knows, whole. */
export interface Unrouted {
  /** Where and when the delivery was received. */
  receipt: Receipt;
  /** Event type, where header or body could be read. */
  event_type: string | null;
  /** Team, where it could be read. */
  team_id: string | null;
  /** User, where header or body could be read. */
  user_id: string | null;
  /** Revision of the reader. */
  reader: number;
  /** Headers as received. */
  headers: Record<string, Buffer>;
  /** Key of the broker record. */
  key: Buffer | null;
  /** Body as received, compressed where it came compressed. */
  body: Buffer;
}

/** The record type of each stream. */
export interface StreamRecords {
  activity: Activity;
  blood_pressure: BloodPressure;
  connections: Connection;
  historical_completions: HistoricalCompletion;
  notes: Note;
  sleep: Sleep;
  timeseries: Timeseries;
  dead_letters: DeadLetter;
  redelivered: Redelivered;
  unrouted: Unrouted;
}

export type StreamName = keyof StreamRecords;

/** The schema of each stream, shared types inlined: what Avro tools are given. */
export const streamSchemas: Readonly<Record<StreamName, AvroRecord & { readonly aorta: StreamAttributes }>> = {
  activity: {"type":"record","name":"Activity","namespace":"aorta","doc":"One day of activity of a user, per source.","aorta":{"shape":"summary","revision":1,"prefixes":["daily.data.activity."],"table":"activity","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"Where the provider says the data comes from, in both generations of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` where absent."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, on workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Workout, on workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Readable name of the provider (old generation)."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"Address of an icon (old generation)."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary: the newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"date_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.date","class":"measure","doc":"The day at 00:00 UTC (deprecated by the service; use calendar_date)."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day."},{"name":"calories_total_kcal","type":["null","double"],"default":null,"source":"$.data.calories_total","class":"measure","unit":"kcal","doc":"Energy spent, basal rate included."},{"name":"calories_active_kcal","type":["null","double"],"default":null,"source":"$.data.calories_active","class":"measure","unit":"kcal","doc":"Energy spent by activity."},{"name":"steps","type":["null","long"],"default":null,"source":"$.data.steps","class":"measure","unit":"count","doc":"Steps."},{"name":"daily_movement_m","type":["null","double"],"default":null,"source":"$.data.daily_movement","class":"measure","unit":"m","doc":"Distance moved (deprecated by the service; use distance_m)."},{"name":"distance_m","type":["null","double"],"default":null,"source":"$.data.distance","class":"measure","unit":"m","doc":"Distance moved."},{"name":"low_min","type":["null","double"],"default":null,"source":"$.data.low","class":"measure","unit":"min","doc":"Time of low activity."},{"name":"medium_min","type":["null","double"],"default":null,"source":"$.data.medium","class":"measure","unit":"min","doc":"Time of medium activity."},{"name":"high_min","type":["null","double"],"default":null,"source":"$.data.high","class":"measure","unit":"min","doc":"Time of high activity."},{"name":"floors_climbed","type":["null","long"],"default":null,"source":"$.data.floors_climbed","class":"measure","unit":"count","doc":"Floors climbed."},{"name":"time_zone","type":["null","string"],"default":null,"source":"$.data.time_zone","class":"measure","doc":"IANA time zone."},{"name":"timezone_offset_s","type":["null","int"],"default":null,"source":"$.data.timezone_offset","class":"measure","unit":"s","doc":"Offset of local time, east of UTC."},{"name":"heart_rate_avg_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.avg_bpm","class":"measure","unit":"bpm","doc":"Average heart rate."},{"name":"heart_rate_min_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.min_bpm","class":"measure","unit":"bpm","doc":"Lowest heart rate."},{"name":"heart_rate_max_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.max_bpm","class":"measure","unit":"bpm","doc":"Highest heart rate."},{"name":"heart_rate_resting_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.resting_bpm","class":"measure","unit":"bpm","doc":"Resting heart rate."},{"name":"heart_rate_avg_walking_bpm","type":["null","double"],"default":null,"source":"$.data.heart_rate.avg_walking_bpm","class":"measure","unit":"bpm","doc":"Average heart rate while walking."},{"name":"wheelchair_use","type":["null","boolean"],"default":null,"source":"$.data.wheelchair_use","class":"measure","doc":"Whether the user uses a wheelchair."},{"name":"wheelchair_push","type":["null","long"],"default":null,"source":"$.data.wheelchair_push","class":"measure","unit":"count","doc":"Pushes of a wheelchair."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary: the version of the row."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  blood_pressure: {"type":"record","name":"BloodPressure","namespace":"aorta","doc":"A batch of blood pressure samples. Fields per sample are arrays, as in timeseries.","aorta":{"shape":"timeseries","revision":1,"table":"blood_pressure","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.blood_pressure."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"Where the provider says the data comes from, in both generations of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` where absent."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, on workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Workout, on workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Readable name of the provider (old generation)."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"Address of an icon (old generation)."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` where the provider writes local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of the interval, or the moment of the sample."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time, east of UTC."},{"name":"systolic_mmhg","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].systolic","class":"measure","unit":"mmHg","doc":"Systolic pressure."},{"name":"diastolic_mmhg","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].diastolic","class":"measure","unit":"mmHg","doc":"Diastolic pressure."},{"name":"grouping","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].grouping","class":"measure","json":true,"doc":"Source type, workout id, sport and device id that the service grouped by."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the sample."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"Unit of the value, as sent."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  connections: {"type":"record","name":"Connection","namespace":"aorta","doc":"A provider was connected, or its connection broke.","aorta":{"shape":"event","revision":1,"prefixes":["provider.connection.created","provider.connection.error"],"table":"connection_events","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"provider","type":"string","source":"$.data.provider.slug","class":"key","doc":"Slug of the provider."},{"name":"provider_name","type":["null","string"],"default":null,"source":"$.data.provider.name","class":"measure","doc":"Readable name of the provider."},{"name":"provider_logo","type":["null","string"],"default":null,"source":"$.data.provider.logo","class":"measure","doc":"Address of an icon."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"external_user_id","type":["null","string"],"default":null,"source":"$.data.external_user_id","class":"identifier","doc":"The user's name or e-mail at the provider."},{"name":"resource_availability","type":["null","string"],"default":null,"source":"$.data.resource_availability","class":"measure","json":true,"doc":"Per resource: status, and which scopes were granted or denied."},{"name":"legacy_source","type":["null","string"],"default":null,"source":"$.data.source","class":"measure","json":true,"doc":"The provider once more, under its deprecated name."},{"name":"message","type":["null","string"],"default":null,"source":"$.data.message","class":"free_text","doc":"What the service says about the error."},{"name":"error_type","type":["null","string"],"default":null,"source":"$.data.error_type","class":"measure","doc":"Kind of the error."},{"name":"error_details","type":["null","string"],"default":null,"source":"$.data.error_details","class":"free_text","doc":"Details of the error."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  historical_completions: {"type":"record","name":"HistoricalCompletion","namespace":"aorta","doc":"A historical pull of a resource has ended well; it carries no data.","aorta":{"shape":"event","revision":1,"prefixes":["historical.data."],"table":"historical_completions","key":["_origin","_offset","_received_at"],"order":["_reader"],"cluster":["user_id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"resource","type":"string","class":"key","doc":"Resource of the pull, as in the event type."},{"name":"provider","type":"string","source":"$.data.provider","class":"key","doc":"Slug of the provider."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"range_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.start_date","class":"measure","doc":"Start of the range that was pulled."},{"name":"range_end","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.end_date","class":"measure","doc":"End of the range that was pulled."},{"name":"is_final","type":["null","boolean"],"default":null,"source":"$.data.is_final","class":"measure","doc":"False on the parts of an old pull that are followed by more (deprecated by the service)."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  notes: {"type":"record","name":"Note","namespace":"aorta","doc":"A batch of notes that a user wrote. Fields per sample are arrays, as in timeseries.","aorta":{"shape":"timeseries","revision":1,"table":"notes","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.note."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"Where the provider says the data comes from, in both generations of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` where absent."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, on workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Workout, on workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Readable name of the provider (old generation)."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"Address of an icon (old generation)."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` where the provider writes local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of what the note is about."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time, east of UTC."},{"name":"end_at","type":{"type":"array","items":["null",{"type":"long","logicalType":"timestamp-micros"}]},"default":[],"per":"sample","source":"$.data.data[*].end","class":"measure","doc":"End of what the note is about (exclusive)."},{"name":"text","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].value","class":"free_text","doc":"What the user wrote."},{"name":"tags","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].tags","class":"measure","json":true,"doc":"What the note refers to, a JSON array: food, exercise, insulin_injection, unspecified."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the note."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"`text`, as sent."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  sleep: {"type":"record","name":"Sleep","namespace":"aorta","doc":"One sleep session of a user.","aorta":{"shape":"summary","revision":1,"prefixes":["daily.data.sleep."],"table":"sleep","key":["id"],"order":["_version_time","_received_at","_origin","_offset","_reader"],"cluster":["user_id","id"]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"Where the provider says the data comes from, in both generations of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` where absent."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, on workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Workout, on workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Readable name of the provider (old generation)."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"Address of an icon (old generation)."}]},"doc":"The source of the data."},{"name":"id","type":"string","source":"$.data.id","class":"key","doc":"Id of the summary: the newest version of an id replaces the others."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"date_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.date","class":"measure","doc":"Start of the day of the session (deprecated by the service; use calendar_date)."},{"name":"calendar_date","type":["null",{"type":"int","logicalType":"date"}],"default":null,"source":"$.data.calendar_date","class":"measure","doc":"The local day of the session, normally of its end."},{"name":"bedtime_start","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.bedtime_start","class":"measure","doc":"Start of the session."},{"name":"bedtime_stop","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.bedtime_stop","class":"measure","doc":"End of the session."},{"name":"sleep_type","type":["null","string"],"default":null,"source":"$.data.type","class":"measure","doc":"long_sleep, short_sleep, acknowledged_nap, unknown."},{"name":"timezone_offset_s","type":["null","int"],"default":null,"source":"$.data.timezone_offset","class":"measure","unit":"s","doc":"Offset of local time, east of UTC."},{"name":"duration_s","type":["null","long"],"default":null,"source":"$.data.duration","class":"measure","unit":"s","doc":"End less start."},{"name":"total_s","type":["null","long"],"default":null,"source":"$.data.total","class":"measure","unit":"s","doc":"Time asleep: light, REM and deep."},{"name":"awake_s","type":["null","long"],"default":null,"source":"$.data.awake","class":"measure","unit":"s","doc":"Time awake."},{"name":"light_s","type":["null","long"],"default":null,"source":"$.data.light","class":"measure","unit":"s","doc":"Time in light sleep."},{"name":"rem_s","type":["null","long"],"default":null,"source":"$.data.rem","class":"measure","unit":"s","doc":"Time in REM sleep."},{"name":"deep_s","type":["null","long"],"default":null,"source":"$.data.deep","class":"measure","unit":"s","doc":"Time in deep sleep."},{"name":"score","type":["null","long"],"default":null,"source":"$.data.score","class":"measure","doc":"Sleep score of the provider."},{"name":"recovery_readiness_score","type":["null","long"],"default":null,"source":"$.data.recovery_readiness_score","class":"measure","doc":"Recovery or readiness score of the provider."},{"name":"hr_lowest_bpm","type":["null","long"],"default":null,"source":"$.data.hr_lowest","class":"measure","unit":"bpm","doc":"Lowest heart rate."},{"name":"hr_average_bpm","type":["null","long"],"default":null,"source":"$.data.hr_average","class":"measure","unit":"bpm","doc":"Average heart rate."},{"name":"hr_resting_bpm","type":["null","long"],"default":null,"source":"$.data.hr_resting","class":"measure","unit":"bpm","doc":"Resting heart rate."},{"name":"efficiency","type":["null","double"],"default":null,"source":"$.data.efficiency","class":"measure","doc":"Share of the session asleep: some providers send 0.97, others 97."},{"name":"latency_s","type":["null","long"],"default":null,"source":"$.data.latency","class":"measure","unit":"s","doc":"Time to fall asleep."},{"name":"temperature_delta_c","type":["null","double"],"default":null,"source":"$.data.temperature_delta","class":"measure","unit":"°C","doc":"Skin temperature against the usual one."},{"name":"skin_temperature_c","type":["null","double"],"default":null,"source":"$.data.skin_temperature","class":"measure","unit":"°C","doc":"Skin temperature."},{"name":"hr_dip_pct","type":["null","double"],"default":null,"source":"$.data.hr_dip","class":"measure","unit":"%","doc":"Dip of the heart rate."},{"name":"state","type":["null","string"],"default":null,"source":"$.data.state","class":"measure","doc":"tentative or confirmed."},{"name":"average_hrv_ms","type":["null","double"],"default":null,"source":"$.data.average_hrv","class":"measure","unit":"ms","doc":"Average heart rate variability (RMSSD)."},{"name":"respiratory_rate_per_min","type":["null","double"],"default":null,"source":"$.data.respiratory_rate","class":"measure","unit":"1/min","doc":"Breaths a minute."},{"name":"sleep_stream","type":["null","string"],"default":null,"source":"$.data.sleep_stream","class":"measure","json":true,"doc":"Series of the session (deprecated by the service)."},{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.created_at","class":"measure","doc":"When the service first stored the summary."},{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-micros"}],"default":null,"source":"$.data.updated_at","class":"measure","doc":"When the service last changed the summary: the version of the row."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  timeseries: {"type":"record","name":"Timeseries","namespace":"aorta","doc":"A batch of samples of one timeseries resource. A field per sample is an array: empty, no sample has it; one entry, every sample has that one; else one entry a sample. `start_at` always has one entry a sample.","aorta":{"shape":"timeseries","revision":1,"table":"timeseries","key":["user_id","resource","provider","source_type","start_at","sample_type","source_workout_id"],"order":["_received_at","_origin","_offset","_reader"],"partition":"_day","cluster":["resource","user_id"],"prefixes":["daily.data.active_energy_burned.","daily.data.afib_burden.","daily.data.basal_body_temperature.","daily.data.basal_energy_burned.","daily.data.blood_oxygen.","daily.data.body_mass_index.","daily.data.body_temperature.","daily.data.body_temperature_delta.","daily.data.caffeine.","daily.data.calories_active.","daily.data.calories_basal.","daily.data.carbohydrates.","daily.data.cholesterol.","daily.data.daylight_exposure.","daily.data.distance.","daily.data.distance_running_walking.","daily.data.electrocardiogram_voltage.","daily.data.fall.","daily.data.fat.","daily.data.floors_climbed.","daily.data.forced_expiratory_volume_1.","daily.data.forced_vital_capacity.","daily.data.glucose.","daily.data.handwashing.","daily.data.heart_rate_alert.","daily.data.heart_rate_recovery_one_minute.","daily.data.heartrate.","daily.data.hrv.","daily.data.hypnogram.","daily.data.ige.","daily.data.igg.","daily.data.inhaler_usage.","daily.data.insulin_injection.","daily.data.lean_body_mass.","daily.data.mindfulness_minutes.","daily.data.peak_expiratory_flow_rate.","daily.data.respiratory_rate.","daily.data.sleep_apnea_alert.","daily.data.sleep_breathing_disturbance.","daily.data.stand_duration.","daily.data.stand_hour.","daily.data.steps.","daily.data.stress_level.","daily.data.uv_exposure.","daily.data.vo2_max.","daily.data.waist_circumference.","daily.data.water.","daily.data.weight.","daily.data.wheelchair_push.","daily.data.workout_distance.","daily.data.workout_duration.","daily.data.workout_swimming_stroke."]},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event","type":{"type":"record","name":"Envelope","namespace":"aorta","doc":"The members that every event of the service has around its data.","fields":[{"name":"event_type","type":"string","source":"$.event_type","class":"key","doc":"Type of the event."},{"name":"team_id","type":["null","string"],"default":null,"source":"$.team_id","class":"key","doc":"Team of the user."},{"name":"user_id","type":"string","source":"$.user_id","class":"key","doc":"Service id of the user."},{"name":"client_user_id","type":["null","string"],"default":null,"source":"$.client_user_id","class":"key","doc":"The customer's own id of the user."}]},"doc":"The envelope of the event."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader that made this record: raised when a reader is fixed, so that a replay reaches existing rows."},{"name":"resource","type":"string","class":"key","doc":"Timeseries resource, as in the event type."},{"name":"origin","type":{"type":"record","name":"Source","namespace":"aorta","doc":"Where the provider says the data comes from, in both generations of the source object.","fields":[{"name":"provider","type":"string","source":"$.data.source.provider","class":"key","doc":"Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there."},{"name":"source_type","type":"string","source":"$.data.source.type","class":"key","doc":"Kind of device or origin; `unknown` where absent."},{"name":"source_app_id","type":["null","string"],"default":null,"source":"$.data.source.app_id","class":"measure","doc":"Bundle or package id of the app."},{"name":"source_device_id","type":["null","string"],"default":null,"source":"$.data.source.device_id","class":"measure","doc":"Id of the service's device record."},{"name":"source_sport","type":["null","string"],"default":null,"source":"$.data.source.sport","class":"measure","doc":"Sport, on workout timeseries."},{"name":"source_workout_id","type":["null","string"],"default":null,"source":"$.data.source.workout_id","class":"key","doc":"Workout, on workout timeseries."},{"name":"source_name","type":["null","string"],"default":null,"source":"$.data.source.name","class":"measure","doc":"Readable name of the provider (old generation)."},{"name":"source_logo","type":["null","string"],"default":null,"source":"$.data.source.logo","class":"measure","doc":"Address of an icon (old generation)."}]},"doc":"The source of the data."},{"name":"time_basis","type":"string","class":"measure","doc":"`utc`, or `floating` where the provider writes local time marked as UTC."},{"name":"data_user_id","type":["null","string"],"default":null,"source":"$.data.user_id","class":"key","doc":"User id inside the data object, where the service repeats it."},{"name":"start_at","type":{"type":"array","items":{"type":"long","logicalType":"timestamp-micros"}},"default":[],"per":"sample","source":"$.data.data[*].start","class":"key","doc":"Start of the interval, or the moment of the sample."},{"name":"timezone_offset_s","type":{"type":"array","items":["null","int"]},"default":[],"per":"sample","source":"$.data.data[*].timezone_offset","class":"measure","unit":"s","doc":"Offset of local time, east of UTC."},{"name":"end_at","type":{"type":"array","items":["null",{"type":"long","logicalType":"timestamp-micros"}]},"default":[],"per":"sample","source":"$.data.data[*].end","class":"measure","doc":"End of the interval (exclusive), on interval resources."},{"name":"value","type":{"type":"array","items":["null","double"]},"default":[],"per":"sample","source":"$.data.data[*].value","class":"measure","doc":"The measured value."},{"name":"sensor_location","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].sensor_location","class":"measure","doc":"Where the temperature was taken: armpit, body, ear, finger and so on. Only of body temperatures."},{"name":"intensity","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].intensity","class":"measure","doc":"low, medium or high. Only of workout_duration."},{"name":"delivery_mode","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].delivery_mode","class":"measure","doc":"basal or bolus. Only of insulin_injection."},{"name":"delivery_form","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].delivery_form","class":"measure","doc":"standard or extended. Only of insulin_injection."},{"name":"bolus_purpose","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].bolus_purpose","class":"measure","doc":"meal, correction, mixed or unknown. Only of insulin_injection."},{"name":"sample_type","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].type","class":"key","doc":"Type of the sample: part of the key where one moment holds several values."},{"name":"unit","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":"$.data.data[*].unit","class":"measure","doc":"Unit of the value, as sent."},{"name":"sample_extra","type":{"type":"array","items":["null","string"]},"default":[],"per":"sample","source":null,"class":"extra","json":true,"doc":"Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object."},{"name":"extra","type":["null","string"],"default":null,"json":true,"class":"extra","doc":"Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path."}]},
  dead_letters: {"type":"record","name":"DeadLetter","namespace":"aorta","doc":"A delivery that could not be read, or a kept one of which parts could not, with its original bytes.","aorta":{"shape":"whole","revision":1,"prefixes":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, where header or body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, where it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, where header or body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"reason","type":"string","class":"measure","doc":"Code of the reason."},{"name":"stage","type":"string","class":"measure","doc":"Step that gave up: receive, decompress, parse, route, read or encode."},{"name":"scope","type":"string","class":"measure","doc":"`whole`: nothing of the delivery reached another stream; `part`: the delivery was kept, and the places below were not."},{"name":"places","type":{"type":"array","items":"string"},"default":[],"class":"measure","doc":"Paths into the body of what was refused."},{"name":"error_headers","type":{"type":"map","values":"string"},"class":"measure","doc":"Kafka Connect's error headers."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received, compressed where it came compressed."}]},
  redelivered: {"type":"record","name":"Redelivered","namespace":"aorta","doc":"A delivery that its redelivery window already holds, whole.","aorta":{"shape":"whole","revision":1,"prefixes":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, where header or body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, where it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, where header or body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received, compressed where it came compressed."}]},
  unrouted: {"type":"record","name":"Unrouted","namespace":"aorta","doc":"An event whose type no route knows, whole.","aorta":{"shape":"whole","revision":1,"prefixes":[],"table":null},"fields":[{"name":"receipt","type":{"type":"record","name":"Receipt","namespace":"aorta","doc":"Where and when a source handed the delivery over. Every record of every stream begins with it.","fields":[{"name":"source","type":"string","class":"key","doc":"Configured name of the source."},{"name":"partition","type":"string","class":"key","doc":"Partition of the source: its number as text, or the hash of its content for a plain event file."},{"name":"offset","type":"long","class":"key","doc":"Offset in the partition: of the broker, or the ordinal of the event in its file."},{"name":"received_at","type":{"type":"long","logicalType":"timestamp-micros"},"class":"key","doc":"The broker's append time; a file's modification time for a plain event file."},{"name":"delivery_id","type":["null","string"],"default":null,"class":"key","doc":"`idempotency-key` or `svix-id` of the headers, if any."},{"name":"header_facts","type":"int","class":"measure","doc":"Which identities came as headers, as a sum: 1 event type, 2 user id. Part of what a redelivery is recognised by."},{"name":"body_bytes","type":"long","unit":"byte","class":"measure","doc":"Length of the uncompressed body."},{"name":"body_crc32","type":"long","class":"measure","doc":"CRC-32 of the uncompressed body."}]},"doc":"Where and when the delivery was received."},{"name":"event_type","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Event type, where header or body could be read."},{"name":"team_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"Team, where it could be read."},{"name":"user_id","type":["null","string"],"default":null,"source":null,"class":"key","doc":"User, where header or body could be read."},{"name":"reader","type":"int","class":"measure","doc":"Revision of the reader."},{"name":"headers","type":{"type":"map","values":"bytes"},"class":"whole","doc":"Headers as received."},{"name":"key","type":["null","bytes"],"default":null,"class":"whole","doc":"Key of the broker record."},{"name":"body","type":"bytes","class":"whole","doc":"Body as received, compressed where it came compressed."}]},
};

export const streamNames = Object.keys(streamSchemas) as StreamName[];
