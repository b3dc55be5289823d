import type { SourceAdapter, SourceSettings } from '@aorta/connectors';
import { adapterOf } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** The settings of a configured source, and the adapter of its type. */
export interface ConfiguredSource {
  readonly settings: SourceSettings;
  readonly adapter: SourceAdapter;
}

/** Returns the configured sources, in the order in which the configuration lists them. */
export function sourcesOf({ configuration, registry }: Pick<Setting, 'configuration' | 'registry'>): readonly ConfiguredSource[] {
  return configuration.sources.map((settings) => ({ settings, adapter: adapterOf(registry.sources, settings) }));
}
