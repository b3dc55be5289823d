import { createRequire } from 'node:module';
import { registerCodecs } from './codecs.ts';
import type { Library } from './internals.ts';
import { applyWorkarounds } from './workarounds.ts';

let loaded: Library | undefined;

/** Returns kafkajs with all workarounds and codecs. Loaded on first use, so that processes without Kafka do not load it. */
export function library(): Library {
  if (loaded !== undefined) return loaded;
  applyWorkarounds();
  const kafkajs = createRequire(import.meta.url)('kafkajs') as Library;
  registerCodecs(kafkajs);
  loaded = kafkajs;
  return kafkajs;
}
