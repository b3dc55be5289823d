export { controlOperations } from './control/control-operations.ts';
export type { SendToHub } from './etl/hubs.ts';
export type { Pipeline } from './etl/pipeline.ts';
export { openApiDocument } from './openapi/document.ts';
export { type ServedService, startService } from './served-service.ts';
export { Service } from './service.ts';
export { StateError } from './storage/database.ts';
export type { User } from './users/users.ts';
export { type Send, sendOverHttp } from './webhooks/attempts.ts';
