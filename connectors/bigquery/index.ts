export { bigQueryOptions } from './options.ts';
