import type { SourceAdapter, SourceSettings } from '@aorta/connectors';
import { adapterOf } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** A source of the configuration, and what knows its type. */
export interface ConfiguredSource {
  readonly settings: SourceSettings;
  readonly adapter: SourceAdapter;
}

/** The sources of the configuration, in its order. */
export function sourcesOf({ configuration, registry }: Pick<Setting, 'configuration' | 'registry'>): readonly ConfiguredSource[] {
  return configuration.sources.map((settings) => ({ settings, adapter: adapterOf(registry.sources, settings) }));
}
