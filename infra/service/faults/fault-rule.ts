import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';

const contentType = z
  .string()
  .regex(/^[\x20-\x7e]+$/, 'not the value of a header')
  .optional()
  .describe('The header `Content-Type`. Default: it fits the body.');

/** Longest virtual time of a script, in seconds: a leap year. */
export const MOST_SECONDS = 31_622_400;
/** Maximum number of events, requests or chunks that a script can count. */
export const MOST_COUNTED = 1_000_000;
const MOST_BYTES = 64 * 1024 * 1024;

const limits = {
  times: z
    .int()
    .min(1)
    .max(MOST_COUNTED)
    .optional()
    .describe('How often the rule applies: to requests, or at each endpoint and hub. Default: always.'),
  probability: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('How likely the rule applies to each request or delivery that it selects. Default: 1.'),
};

/** Selects requests. */
const operationMatchSchema = z.strictObject({
  operation: z.string().optional().describe('Id in the OpenAPI document, such as `get_user`.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Path in which a name in braces stands for one segment, such as `/v3/order/{order_id}/result`.'),
  path_prefix: z.string().startsWith('/').optional(),
  query: z.record(z.string(), z.string()).optional().describe('Query parameters that the request must have with these values.'),
  team_id: uuidSchema.optional().describe('The team whose key the request has.'),
});

const bodySchema = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .describe('Text is sent as it is, everything else as JSON.');
const statusSchema = z.int().min(200).max(599);

const operationEffectSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('status'),
      status: statusSchema,
      retry_after: z
        .strictObject({
          seconds: z.int().min(0).max(MOST_SECONDS),
          form: z.enum(['seconds', 'date']).default('seconds').describe('A number of seconds, or the virtual time after them.'),
        })
        .optional()
        .describe('The header `Retry-After`.'),
      body: bodySchema.optional(),
      content_type: contentType,
    })
    .describe('The service answers with a status, and does not do the operation.'),
  z
    .strictObject({
      kind: z.literal('answer'),
      status: statusSchema.default(200),
      body: bodySchema,
      content_type: contentType,
    })
    .describe("A fixed answer to requests with a team's key, for paths that no operation has."),
  z
    .strictObject({ kind: z.literal('closed_beta') })
    .describe('The operation is in closed beta: status 403, as text before November 2025 and as JSON since.'),
  z
    .strictObject({
      kind: z.literal('reset'),
      after_bytes: z
        .int()
        .min(0)
        .max(MOST_BYTES)
        .optional()
        .describe('Bytes of the body that the service sends first. It then does the operation. Default: it does not.'),
    })
    .describe('The connection breaks.'),
  z.strictObject({ kind: z.literal('hang') }).describe('The service never answers, and does not do the operation.'),
  z.strictObject({ kind: z.literal('loop') }).describe('The cursor of the answer leads to the same page again.'),
]);

const deliveryMatchSchema = z
  .strictObject({
    event_type_prefix: z.string().min(1).optional(),
    user_id: uuidSchema.optional(),
    endpoint_id: z.string().min(1).optional().describe('Selects webhooks to this endpoint.'),
    pipeline: uuidSchema.optional().describe('Selects events in the pipeline of this team.'),
    via: z.enum(['webhook', 'pipeline']).optional().describe('Selects all webhooks, or the events in all pipelines.'),
  })
  .refine(({ endpoint_id, pipeline, via }) => [endpoint_id, pipeline, via].filter((one) => one !== undefined).length <= 1, {
    message: 'only one of endpoint_id, pipeline and via is possible',
  });

const deliveryEffectSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('lose'),
      status: z.int().min(300).max(599).optional().describe('Status of the attempt. Default: there is no answer.'),
    })
    .describe('Nothing is sent, and the attempt fails. The service tries again as usual.'),
  z
    .strictObject({ kind: z.literal('duplicate') })
    .describe('Sent twice: a webhook with the same message id, an event with the same idempotency key.'),
  z
    .strictObject({
      kind: z.literal('reorder'),
      behind: z.int().min(1).max(MOST_COUNTED).describe('How many events of the same user overtake this one.'),
      within_seconds: z
        .number()
        .positive()
        .max(MOST_SECONDS)
        .default(3600)
        .describe('Longest wait for them, in virtual seconds.'),
    })
    .describe('Held back until the next events of the same user have arrived, or until the time is over.'),
]);

const MATCH = 'Selects requests or deliveries. Without members, it selects all.';

const operationRuleSchema = z
  .strictObject({
    on: z.literal('operation'),
    match: operationMatchSchema.default({}).describe(MATCH),
    effect: operationEffectSchema.optional(),
    ...limits,
    delay_ms: z.int().min(1).max(3_600_000).optional().describe('Real milliseconds before the operation, or before the effect.'),
  })
  .refine(({ effect, delay_ms }) => effect !== undefined || delay_ms !== undefined, {
    message: 'either effect or delay_ms is required',
  })
  .describe('The rule is about requests to the API.');

const deliveryRuleSchema = z
  .strictObject({
    on: z.literal('delivery'),
    match: deliveryMatchSchema.default({}).describe(MATCH),
    effect: deliveryEffectSchema.optional(),
    ...limits,
    delay_seconds: z
      .number()
      .positive()
      .max(MOST_SECONDS)
      .optional()
      .describe('Virtual seconds before the attempt, or before the effect. In a pipeline, later events wait, too.'),
  })
  .refine(({ effect, delay_seconds }) => effect !== undefined || delay_seconds !== undefined, {
    message: 'either effect or delay_seconds is required',
  })
  .describe('The rule is about deliveries of events to endpoints and hubs.');

/** A fault on demand: what it selects, what happens, and how often. */
export const faultRuleSchema = z.discriminatedUnion('on', [operationRuleSchema, deliveryRuleSchema]);

export type FaultRule = z.output<typeof faultRuleSchema>;
export type OperationRule = z.output<typeof operationRuleSchema>;
export type DeliveryRule = z.output<typeof deliveryRuleSchema>;
export type OperationEffect = z.output<typeof operationEffectSchema>;
export type DeliveryEffect = z.output<typeof deliveryEffectSchema>;
