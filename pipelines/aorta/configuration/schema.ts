import { type AdapterOptions, type AdapterSettings, privacyOptions } from '@aorta/connectors';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { serviceOptions } from '@aorta/connectors/service';
import { historicalPullsOptions } from '@aorta/enrichment';
import { limitsOptions, redeliveryWindowOptions, routesOptions } from '@aorta/ingestion';
import { AortaError, healthOptions } from '@aorta/runtime';
import { z } from 'zod';

const logOptions = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .optional()
    .describe('Least level that is written; where left out, info for `aorta run` and warn for the other verbs.'),
});

/**
 * Composes the schema of the configuration from the parts and from the adapters of a registry. Types, errors, the editor's
 * schema and the reference page derive from it. Only the adapter itself knows its settings; here they have a `type` only.
 */
export function configurationSchemaOf({ sources, streamLogs, warehouses }: Registry) {
  return z.strictObject({
    sources: z.array(typed(sources)).default([]).superRefine(namesDiffer).describe('Where deliveries come from.'),
    service: serviceOptions.optional(),
    routes: routesOptions,
    redelivery_window: redeliveryWindowOptions,
    limits: limitsOptions,
    streams: typed(streamLogs)
      .prefault({ type: streamLogs[0]!.type })
      .describe('Where the streams are kept. Everything in the tables can be made from them again.'),
    warehouse: typed(warehouses).prefault({ type: warehouses[0]!.type }).describe('Where the tables are.'),
    privacy: privacyOptions
      .prefault({})
      .describe(
        'What of the events reaches the tables, by the class of a field; `aorta schema` prints the classes. Secrets (signed links and the like) never do. Unknown fields, kept in `extra`, do where every class of their stream does. Streams keep everything.',
      ),
    historical_pulls: historicalPullsOptions.optional(),
    health: healthOptions.optional(),
    log: logOptions.prefault({}).describe('Log lines, in JSON, on standard error.'),
  });
}

/** The schema of the configuration with the built-in adapters. */
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

/** Refuses two sources with one name: checkpoints are stored by name, so they would overwrite each other. */
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
        params: { hint: 'Give each source a name of its own: name: …' },
      });
  }
}
