export { openApiDocument } from './openapi/document.ts';
export { type ServedService, startService } from './running-service.ts';
export { Service } from './service.ts';
