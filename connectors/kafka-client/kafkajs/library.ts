import { createRequire } from 'node:module';
import { registerCodecs } from './codecs.ts';
import type { Library } from './internals.ts';
import { applyWorkarounds } from './workarounds.ts';

let loaded: Library | undefined;

/** Returns kafkajs with all workarounds and codecs. Loads it on first use, so that processes without Kafka never load it. */
export function library(): Library {
  if (loaded !== undefined) return loaded;
  applyWorkarounds();
  const kafkajs = createRequire(import.meta.url)('kafkajs') as Library;
  registerCodecs(kafkajs);
  loaded = kafkajs;
  return kafkajs;
}
