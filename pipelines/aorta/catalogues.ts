import { warehouseErrors } from '@aorta/connectors';
import { kafkaErrors } from '@aorta/connectors/kafka-client/errors';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { serviceErrors } from '@aorta/connectors/service';
import { loadingErrors } from '@aorta/loading';
import { compose, type ErrorCatalogue, generalErrors } from '@aorta/runtime';
import { programErrors } from './errors.ts';

/** The error codes that each folder declares, by folder. Adapters bring theirs. */
export function errorsByFolder({ sources, streamLogs, warehouses }: Registry): Readonly<Record<string, ErrorCatalogue>> {
  const ofAdapters = (folder: string, adapters: readonly { readonly type: string; readonly errors?: ErrorCatalogue }[]) =>
    Object.fromEntries(adapters.map(({ type, errors = {} }) => [`${folder}/${type}`, errors]));
  return {
    'infra/runtime': generalErrors,
    connectors: warehouseErrors,
    'connectors/kafka-client': kafkaErrors,
    'connectors/service': serviceErrors,
    ...ofAdapters('connectors/sources', sources),
    ...ofAdapters('connectors/streams', streamLogs),
    ...ofAdapters('connectors/warehouses', warehouses),
    'pipelines/loading': loadingErrors,
    'pipelines/aorta': programErrors,
  };
}

/** Every error of a program with these adapters, by code. Throws a RangeError if two folders declare the same code. */
const errorCatalogueOf = (registry: Registry): ErrorCatalogue => compose(Object.values(errorsByFolder(registry)));

/** Every error of the program as it is shipped. */
export const errorCatalogue: ErrorCatalogue = errorCatalogueOf(builtIn);

/** A code of {@link errorCatalogue}, or of the catalogue of an adapter from elsewhere. */
export type ErrorCode = string;
