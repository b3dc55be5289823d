import { warehouseErrors } from '@aorta/connectors';
import { kafkaErrors } from '@aorta/connectors/kafka/client/errors';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { serviceErrors } from '@aorta/connectors/service';
import { sourceErrors, sourceMetrics } from '@aorta/connectors/sources';
import { streamMetrics } from '@aorta/connectors/streams';
import { enrichmentMetrics } from '@aorta/enrichment';
import { ingestionMetrics } from '@aorta/ingestion';
import { loadingErrors, loadingMetrics } from '@aorta/loading';
import { compose, type ErrorCatalogue, generalErrors, generalMetrics, type MetricCatalogue } from '@aorta/runtime';
import { programErrors } from './errors.ts';
import { programMetrics } from './metrics.ts';

interface Adapter {
  readonly type: string;
  readonly errors?: ErrorCatalogue;
  readonly metrics?: MetricCatalogue;
}

/** Returns the catalogue of every adapter that declares one, keyed by the adapter's list and type, such as `sources/kafka`. */
function ofAdapters<Catalogue>(
  { sources, streamLogs, warehouses }: Registry,
  brought: (adapter: Adapter) => Catalogue | undefined,
): Record<string, Catalogue> {
  const lists: Readonly<Record<keyof Registry, readonly Adapter[]>> = { sources, streamLogs, warehouses };
  const catalogues = Object.entries(lists).flatMap(([list, adapters]) =>
    adapters.map((adapter) => [`${list}/${adapter.type}`, brought(adapter)] as const),
  );
  return Object.fromEntries(catalogues.flatMap(([owner, own]) => (own === undefined ? [] : [[owner, own]])));
}

/** Returns all catalogues of errors, keyed by the owner: a folder, or the list and type of an adapter. */
export function errorsByOwner(registry: Registry): Readonly<Record<string, ErrorCatalogue>> {
  return {
    'infra/runtime': generalErrors,
    connectors: warehouseErrors,
    'connectors/kafka/client': kafkaErrors,
    'connectors/service': serviceErrors,
    'connectors/sources': sourceErrors,
    ...ofAdapters(registry, ({ errors }) => errors),
    'pipelines/loading': loadingErrors,
    'pipelines/aorta': programErrors,
  };
}

/** Returns all catalogues of metrics, keyed by the owner: a folder, or the list and type of an adapter. */
export function metricsByOwner(registry: Registry): Readonly<Record<string, MetricCatalogue>> {
  return {
    'infra/runtime': generalMetrics,
    'connectors/sources': sourceMetrics,
    'connectors/streams': streamMetrics,
    ...ofAdapters(registry, ({ metrics }) => metrics),
    'pipelines/ingestion': ingestionMetrics,
    'pipelines/enrichment': enrichmentMetrics,
    'pipelines/loading': loadingMetrics,
    'pipelines/aorta': programMetrics,
  };
}

/**
 * Returns every error that the program can report with these adapters, keyed by code. Throws a RangeError if two folders
 * declare the same code.
 */
export const errorCatalogueOf = (registry: Registry): ErrorCatalogue => compose(Object.values(errorsByOwner(registry)));

/**
 * Returns every metric that the program can record with these adapters, keyed by name. Throws a RangeError if two folders
 * declare the same name.
 */
export const metricCatalogueOf = (registry: Registry): MetricCatalogue => compose(Object.values(metricsByOwner(registry)));

/** Every error that the program can report with the built-in adapters. */
export const errorCatalogue: ErrorCatalogue = errorCatalogueOf(builtIn);

/** An error code from {@link errorCatalogue}, or one that a custom adapter declares. */
export type ErrorCode = string;
