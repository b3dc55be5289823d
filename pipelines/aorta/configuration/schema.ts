import {
  eventHubsSourceOptions,
  filesSourceOptions,
  hubsOf,
  kafkaSourceOptions,
  limitsOptions,
  redeliveryWindowOptions,
  routesOptions,
  topicsOf,
} from '@aorta/consumers';
import { historicalPullsOptions } from '@aorta/jobs';
import { serviceOptions } from '@aorta/service-client';
import { kafkaStreamsOptions } from '@aorta/streams';
import { healthOptions } from '@aorta/telemetry';
import { bigQueryOptions, duckDbOptions, privacyOptions } from '@aorta/warehouse';
import { z } from 'zod';
import { dataLayout, defaultData } from './place.ts';

/** A configured source is asked again and again by `aorta run`. */
const filesSource = filesSourceOptions.extend({
  poll_s: z.number().positive().max(86_400).default(5).describe('`aorta run` looks for new and changed files so often.'),
});

const localStreams = z.strictObject({
  type: z.literal('local').describe('Avro files in a folder of this machine.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the streams, which belong to one warehouse. Where left out, the path of the warehouse with `.streams` after it; in a data folder with a `warehouse.duckdb`, `streams` beside that.',
    ),
});

/** The package's own schema has no default place; here it is in the default data folder. */
export const duckDb = duckDbOptions.extend({
  type: z.literal('duckdb').describe('One DuckDB file on this machine.'),
  path: duckDbOptions.shape.path.default(`${defaultData}/${dataLayout.warehouse}`),
});

const logOptions = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .optional()
    .describe('Least level that is written; where left out, info for `aorta run` and warn for the other verbs.'),
});

/**
 * The whole configuration: one schema, composed of what each part exports, from which types, errors, the editor's schema
 * and the reference page are made.
 */
export const configurationSchema = z.strictObject({
  sources: z
    .array(z.discriminatedUnion('type', [filesSource, eventHubsSourceOptions, kafkaSourceOptions]))
    .default([])
    .superRefine(namesDiffer)
    .describe('Where deliveries come from.'),
  service: serviceOptions.optional(),
  routes: routesOptions,
  redelivery_window: redeliveryWindowOptions,
  limits: limitsOptions,
  streams: z
    .discriminatedUnion('type', [localStreams, kafkaStreamsOptions])
    .prefault({ type: 'local' })
    .describe('Where the streams are kept. Everything in the tables can be made from them again.'),
  warehouse: z
    .discriminatedUnion('type', [duckDb, bigQueryOptions])
    .prefault({ type: 'duckdb' })
    .describe('Where the tables are.'),
  privacy: privacyOptions
    .prefault({})
    .describe(
      'What of the events reaches the tables, by the class of a field; `aorta schema` prints the classes. Secrets (signed links and the like) never do. Unknown fields, kept in `extra`, do where every class of their stream does. Streams keep everything.',
    ),
  historical_pulls: historicalPullsOptions.optional(),
  health: healthOptions.optional(),
  log: logOptions.prefault({}).describe('Log lines, in JSON, on standard error.'),
});

/** Positions are remembered by the name of the source, so that two of one name would take each other's. */
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

export type Configuration = z.output<typeof configurationSchema>;

/** Where a source has its deliveries from, as it is told to people: paths, the hubs of a namespace, or topics and what matches them. */
export function placesOf(source: Configuration['sources'][number]): readonly string[] {
  switch (source.type) {
    case 'files':
      return source.paths;
    case 'event-hubs':
      return hubsOf(source);
    case 'kafka':
      return topicsOf(source).map((topic) => (typeof topic === 'string' ? topic : `/${source.topics_regex}/`));
  }
}
