import { createRequire } from 'node:module';
import { registerCodecs } from './codecs.ts';
import type { Library } from './internals.ts';
import { mendLibrary } from './mends.ts';

let loaded: Library | undefined;

/** kafkajs, mended and with all codecs. It is loaded when it is first needed: who uses no Kafka does not pay for it. */
export function library(): Library {
  if (loaded !== undefined) return loaded;
  mendLibrary();
  const kafkajs = createRequire(import.meta.url)('kafkajs') as Library;
  registerCodecs(kafkajs);
  loaded = kafkajs;
  return kafkajs;
}
