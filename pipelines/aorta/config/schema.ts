import { type AdapterOptions, type AdapterSettings, preferencesOptions, privacyOptions, sourceTypes } from '@aorta/connectors';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { serviceOptions } from '@aorta/connectors/service/options';
import { historicalPullsOptions } from '@aorta/enrichment/options';
import { limitsOptions, redeliveryWindowOptions, routesOptions } from '@aorta/ingestion/options';
import { AortaError, healthOptions } from '@aorta/runtime';
import { z } from 'zod';
import { nearestName } from './nearest-name.ts';

const logOptions = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .optional()
    .describe('Lowest level that is logged. Default: info for `aorta run`, warn for the other verbs.'),
});

/**
 * Builds the schema of the configuration from its sections and from the adapters of a registry. Types, error messages, the
 * editor's schema and the reference page are derived from it. Code outside an adapter does not know that adapter's settings,
 * except for those that all adapters have, such as `type`.
 */
export function configurationSchemaOf({ sources, streamLogs, warehouses }: Registry) {
  return z.strictObject({
    sources: z.array(typed(sources)).default([]).superRefine(namesDiffer).describe('The sources of deliveries.'),
    service: serviceOptions.optional(),
    routes: routesOptions,
    redelivery_window: redeliveryWindowOptions,
    limits: limitsOptions,
    streams: typed(streamLogs)
      .prefault({ type: streamLogs[0]!.type })
      .describe('The storage of the streams. The tables can always be rebuilt from the streams.'),
    warehouse: typed(warehouses).prefault({ type: warehouses[0]!.type }).describe('The database that holds the tables.'),
    privacy: privacyOptions
      .prefault({})
      .describe(
        'Which classes of columns Aorta lands in the tables. `aorta schema` prints the class of each column. Aorta never lands secrets, such as signed links. It lands unknown fields (the column `extra`) only if it lands every class of their stream. The streams keep everything.',
      ),
    preferences: preferencesOptions
      .prefault({})
      .superRefine(typesAreKnown)
      .describe(
        'The order of preference among sources in the views of days. It applies if several sources have a value. Each list has providers (`oura`), source types (`watch`) or both (`oura/ring`), best first. All other sources follow in the usual order: sensors for one purpose, then watches, then phones. Entries by hand are last.',
      ),
    historical_pulls: historicalPullsOptions.optional(),
    health: healthOptions.optional(),
    log: logOptions.prefault({}).describe('The log: JSON lines on standard error.'),
  });
}

/** The schema of the configuration if only the built-in adapters are used. */
export const configurationSchema = configurationSchemaOf(builtIn);

export type ConfigurationSchema = typeof configurationSchema;
export type Configuration = z.output<ConfigurationSchema>;

/** Returns the union of the adapters' settings, discriminated by `type`. */
function typed<S extends AdapterSettings>(adapters: readonly { readonly options: AdapterOptions<S> }[]): z.ZodType<S> {
  const [first, ...others] = adapters.map(({ options }) => options);
  if (first === undefined)
    throw new AortaError('AORTA-BUG', { place: 'configuration', problem: 'the registry lists no adapter' });
  return z.discriminatedUnion('type', [first, ...others]);
}

/**
 * Refuses two sources with the same name. Checkpoints are stored by name, so the two sources would overwrite each other's
 * checkpoints.
 */
function namesDiffer(sources: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  const seen = new Map<string, number>();
  for (const [index, { name }] of sources.entries()) {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `another source (sources[${first}]) has this name`,
        // The names are equal, whatever the other fields of the sources contain.
        params: { hint: 'Give each source a unique name: name: …', isCertain: true },
      });
  }
}

/** Refuses source types that the service does not have. A name without a slash is a provider, unless it resembles a type. */
function typesAreKnown(preferences: Readonly<Record<string, readonly string[] | undefined>>, context: z.RefinementCtx): void {
  for (const [measure, sources = []] of Object.entries(preferences))
    for (const [index, source] of sources.entries()) {
      const [type, provider] = source.split('/').reverse() as [string, string?];
      if (sourceTypes.includes(type)) continue;
      const nearest = nearestName(type, sourceTypes);
      if (provider === undefined && nearest === undefined) continue;
      const meant = nearest ?? sourceTypes[0]!;
      context.addIssue({
        code: 'custom',
        path: [measure, index],
        message: `${type} is not a source type`,
        params: {
          hint: `Source types are ${sourceTypes.join(', ')}. Example: ${provider === undefined ? meant : `${provider}/${meant}`}`,
        },
      });
    }
}

/** A section of the configuration: a top-level field of `aorta.yaml`. */
export type Section = keyof Configuration;

/** All sections, in the order of the reference. */
export const sections = Object.keys(configurationSchema.shape) as readonly Section[];
