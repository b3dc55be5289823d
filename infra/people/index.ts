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
export { peopleEventTypes } from './event-types.ts';
export { defaultRates, type PeopleOptions, type Rates } from './options.ts';
export { type Random, randomOf } from './random.ts';
