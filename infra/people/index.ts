export { type ProviderConnection, wear } from './connection.ts';
export { type Delivery, deliveries, deliveryLine, type HealthEvent, writeDeliveryFiles } from './deliveries.ts';
export { liveEvents, pastEvents } from './events.ts';
export { localDayOf, type Person, wearerOf } from './person.ts';
export { wearables } from './provider.ts';
export { type Random, randomOf } from './random.ts';
export { isTimeZone, timeZone } from './time-zone.ts';
export type { DataEvent } from './visit.ts';
