export { ServiceAccess } from './access.ts';
export type { CallBudget, Surroundings } from './asking.ts';
export { openServiceClient } from './client.ts';
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
export { everyPage } from './pages.ts';
export type { HistoricalPullAnswer, ResourceStatistics, UserHistoricalPulls, UserResources } from './shapes/introspection.ts';
export type { LabTest, Marker, Order, OrderResult } from './shapes/lab.ts';
export type { User, UserConnection } from './shapes/user.ts';
