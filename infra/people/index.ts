export type { ProviderConnection } from './connection.ts';
export {
  type DeliveryFileOptions,
  type DeliveryProgress,
  deliveryLine,
  sampleCount,
  type WrittenDeliveries,
  writeDeliveryFiles,
} from './delivery-files.ts';
export { type Delivery, deliveries, type HealthEvent } from './delivery-schedule.ts';
export { describePerson, type PersonDescription, people, showcase } from './description.ts';
export type { DataEvent } from './ingestion.ts';
export { defaultRates, type PeopleOptions, type Rates } from './options.ts';
export type { Person } from './person.ts';
export { peopleEventTypes } from './provider.ts';
export { type Random, randomOf } from './random.ts';
export { timeZone } from './time-zone.ts';
export { liveEvents } from './wear/live-events.ts';
export { pastEvents } from './wear/past-events.ts';
export { localDayOf, wear, wearerOf } from './wear/wear.ts';
export { wearables } from './wear/wearables.ts';
