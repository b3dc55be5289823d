export type { ServedApi } from './api/server.ts';
export { Service, type ServiceOptions } from './service.ts';
