export type { Pipeline } from './etl/pipeline.ts';
export type { SendToHubs } from './etl/pipelines.ts';
export { openApiDocument } from './openapi/document.ts';
export { type ServedService, startService } from './running-service.ts';
export { Service } from './service.ts';
export type { User } from './users/user.ts';
export type { Send } from './webhooks/delivery.ts';
export { sendOverHttp } from './webhooks/send.ts';
