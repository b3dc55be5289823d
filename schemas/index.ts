export { type Codec, codecOf, learnSchema, UnknownSchema } from './codec/codec.ts';
export { readEvent } from './events/read-event.ts';
export { type Reading, type Refusal, type RefusedPart, refusals } from './events/verdict.ts';
export type { PrivacyClass, StreamAttributes, StreamShape } from './streams/declaration.ts';
export * from './streams/streams.generated.ts';
export type { Column, ColumnType, TableDeclaration } from './tables/declaration.ts';
export { tables } from './tables/tables.generated.ts';
