export * from './control.ts';
export * from './erase.ts';
export * from './facts.ts';
export { landedFields } from './landed-rows.ts';
export * from './landed-view.ts';
export * from './landing.ts';
export * from './merge.ts';
export { type Dataset, tableName, text } from './types.ts';
