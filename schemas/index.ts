export { type Codec, codecOf, learnSchema, UnknownSchema } from './codec/codec.ts';
export { isObject, type JsonObject } from './events/fields.ts';
export { dayOfInstant, GREATEST_LONG, LEAST_LONG, parseDate, parseInstant } from './events/instant.ts';
export { isExact, pathName } from './events/json-text.ts';
export { type EventStream, readEvent } from './events/read-event.ts';
export { causesDeadLetter, type ReadResult, type Refusal, type RefusedPart, refusals } from './events/read-result.ts';
export {
  resourceColumns,
  resourcesKeyedByType,
  type TimeseriesResource,
  type TimeseriesStream,
  timeseriesResources,
} from './events/resource.ts';
export { sampleValue } from './events/samples.ts';
export { compareEvidence, type Evidence } from './historical-pulls/evidence.ts';
export { foldPulls, type Pull, type PullHistory } from './historical-pulls/history.ts';
export { canTrigger } from './historical-pulls/providers.ts';
export {
  addEvidence,
  completionEvidence,
  connectionEvidence,
  pollEvidence,
  type SubjectEvidence,
  trackRecord,
} from './historical-pulls/record-evidence.ts';
export { pullStates } from './historical-pulls/state.ts';
export { loincSource, loincTerms } from './measures/loinc.ts';
export { type ColumnMeasure, isSampleMeasure, type Measure, type SampleMeasure } from './measures/measure.ts';
export { columnMeasures, columnsWithoutMeasure, measureOfSample, measures, sampleMeasures } from './measures/measures.ts';
export type { SentUnit } from './measures/sent-units.ts';
export { eventTypesOf, type PrivacyClass } from './streams/declaration.ts';
export * from './streams/streams.generated.ts';
export {
  type Column,
  type ColumnType,
  type ElementField,
  elementFields,
  type ListType,
  type TableDeclaration,
  typeName,
  type ValueType,
} from './tables/declaration.ts';
export { type DeliveryPlace, deliveries, deliveryPlace, hasRowPerDelivery } from './tables/deliveries.ts';
export { tables } from './tables/tables.generated.ts';
export { type SummaryOrder, versionTime } from './tables/version-time.ts';
export { FIRST_INSTANT_S, LAST_INSTANT_S } from './time-zones/range.ts';
export { timeZones } from './time-zones/spans.ts';
