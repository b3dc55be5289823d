export { ServiceAccess } from './access.ts';
export { everyPage, openServiceClient } from './client.ts';
export { ServiceError, type ServiceErrorCode, serviceErrors } from './errors.ts';
export {
  type Answer,
  type CursorPage,
  type DataQuery,
  type GroupedSamples,
  type IntrospectionQuery,
  type NumberedPage,
  type OrdersQuery,
  type ServiceClient,
  type SummaryResource,
  summaryResources,
} from './operations.ts';
export { type ServiceOptions, type ServiceSettings, serviceOptions } from './options.ts';
export type { CallBudget, Surroundings } from './request-sender.ts';
export type {
  HistoricalPullAnswer,
  LabTest,
  Marker,
  Order,
  OrderResult,
  ResourceStatistics,
  User,
  UserConnection,
  UserHistoricalPulls,
  UserResources,
} from './shapes.ts';
