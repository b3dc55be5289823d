export { ServiceAccess } from './access.ts';
export { everyPage, openServiceClient } from './client.ts';
export { ServiceError, type ServiceErrorCode, serviceErrors } from './errors.ts';
export {
  type Answer,
  type IntrospectionQuery,
  type ServiceClient,
  type SummaryResource,
  summaryResources,
} from './operations.ts';
export { type ServiceSettings, serviceOptions } from './options.ts';
export type { CallBudget } from './request-sender.ts';
export type { UserHistoricalPulls } from './shapes.ts';
