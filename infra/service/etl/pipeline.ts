import { z } from 'zod';
import { isExpression } from './expression.ts';

/** A rule that routes events to a hub: by the beginning of the event type, or by a regular expression. */
const matcherSchema = z
  .object({
    event_type_prefix: z.string().min(1).nullish(),
    event_type_regex: z.string().min(1).refine(isExpression, 'not a regular expression of RE2').nullish(),
    event_hub: z.string().min(1),
  })
  .refine((matcher) => (matcher.event_type_prefix == null) !== (matcher.event_type_regex == null), {
    message: 'either event_type_prefix or event_type_regex is required, but not both',
  });

const connectionSchema = z
  .string()
  .regex(/^Endpoint=sb:\/\//, 'not a connection string of an Event Hubs namespace')
  .refine((text) => !/EntityPath=/i.test(text), 'the connection string must not name an event hub');

/** The configuration of a pipeline to Event Hubs, with the members of the management API. */
export const pipelineSchema = z.object({
  push_historical_data: z.boolean().default(false),
  /** Event types must begin with one of these. Null and an empty list mean all. */
  event_type_prefixes: z.array(z.string()).nullish(),
  azure_amqp: z.object({
    connection_string: connectionSchema,
    default_event_hub: z.string().min(1),
    compression: z.enum(['auto', 'always']).default('auto'),
    event_hub_matchers: z.array(matcherSchema).default([]),
  }),
});

export type Pipeline = z.output<typeof pipelineSchema>;
