import type { SourceAdapter, SourceSettings } from '@aorta/connectors';
import { adapterOf } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** The settings of a configured source, and the adapter of its type. */
export interface ConfiguredSource {
  readonly settings: SourceSettings;
  readonly adapter: SourceAdapter;
}

/** A setting whose sources were read, or shown as far as their variables are set. */
export type SourcesSetting = Pick<Setting<never, 'sources'>, 'configuration' | 'registry'>;

/** Returns the sources that were read, in the order in which the configuration lists them. */
export function sourcesOf({ configuration, registry }: SourcesSetting): readonly ConfiguredSource[] {
  return (configuration.sources ?? []).map((settings) => ({ settings, adapter: adapterOf(registry.sources, settings) }));
}
