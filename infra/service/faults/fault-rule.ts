import { z } from 'zod';
import { uuidSchema } from '../api/uuid.ts';

const headerText = z.string().regex(/^[\x20-\x7e]+$/, 'not the value of a header');

const limits = {
  /** How often the rule applies: to requests, or at each destination of deliveries. Default: always. */
  times: z.int().min(1).optional(),
  /** How likely it applies to what it selects. Default: 1. */
  probability: z.number().gt(0).max(1).optional(),
};

/** Selects requests. A missing member selects all. */
const operationMatchSchema = z.strictObject({
  /** Id of an operation, such as `get_user`. */
  operation: z.string().optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** Path in which a name in braces stands for one segment, such as `/v3/order/{order_id}/result`. */
  path: z.string().startsWith('/').optional(),
  path_prefix: z.string().startsWith('/').optional(),
  /** Query parameters that the request must have with these values. */
  query: z.record(z.string(), z.string()).optional(),
  /** The team whose key the request has. */
  team_id: uuidSchema.optional(),
});

/** Text is sent as it is, everything else as JSON. */
const bodySchema = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const statusSchema = z.int().min(200).max(599);

const operationEffectSchema = z.discriminatedUnion('kind', [
  /** The service answers with a status, and does not do the operation. */
  z.strictObject({
    kind: z.literal('status'),
    status: statusSchema,
    retry_after: z.strictObject({ seconds: z.int().min(0), form: z.enum(['seconds', 'date']).default('seconds') }).optional(),
    body: bodySchema.optional(),
    content_type: headerText.optional(),
  }),
  /** A fixed answer to requests with a team's key, for paths that no operation has. */
  z.strictObject({
    kind: z.literal('answer'),
    status: statusSchema.default(200),
    body: bodySchema,
    content_type: headerText.optional(),
  }),
  /** The operation is in closed beta: status 403, as text before November 2025 and as JSON since. */
  z.strictObject({ kind: z.literal('closed_beta') }),
  /**
   * The connection breaks. Without `after_bytes`, it breaks before the operation is done. Otherwise it breaks after the
   * operation is done, and after so many bytes of the answer's body.
   */
  z.strictObject({ kind: z.literal('reset'), after_bytes: z.int().min(0).optional() }),
  /** The service never answers, and does not do the operation. */
  z.strictObject({ kind: z.literal('hang') }),
  /** The cursor of the answer leads to the same page again. */
  z.strictObject({ kind: z.literal('loop') }),
]);

const deliveryMatchSchema = z
  .strictObject({
    event_type_prefix: z.string().min(1).optional(),
    user_id: uuidSchema.optional(),
    /** Selects webhooks to this endpoint. */
    endpoint_id: z.string().min(1).optional(),
    /** Selects events in the pipeline of this team. */
    pipeline: uuidSchema.optional(),
    via: z.enum(['webhook', 'pipeline']).optional(),
  })
  .refine(({ endpoint_id, pipeline, via }) => [endpoint_id, pipeline, via].filter((one) => one !== undefined).length <= 1, {
    message: 'only one of endpoint_id, pipeline and via is possible',
  });

const deliveryEffectSchema = z.discriminatedUnion('kind', [
  /** Nothing is sent, and the attempt fails: with a status, or without an answer. The service tries again as usual. */
  z.strictObject({ kind: z.literal('lose'), status: z.int().min(300).max(599).optional() }),
  /** Sent twice: a webhook with the same message id, an event with the same idempotency key. */
  z.strictObject({ kind: z.literal('duplicate') }),
  /** Held back until the next events of the same user have arrived, or until the time is over. */
  z.strictObject({
    kind: z.literal('reorder'),
    behind: z.int().min(1),
    within_seconds: z.number().positive().max(31_622_400).default(3600),
  }),
]);

const operationRuleSchema = z
  .strictObject({
    on: z.literal('operation'),
    match: operationMatchSchema.default({}),
    effect: operationEffectSchema.optional(),
    ...limits,
    /** Real time before the operation is done, or before the effect. */
    delay_ms: z.int().min(1).max(3_600_000).optional(),
  })
  .refine(({ effect, delay_ms }) => effect !== undefined || delay_ms !== undefined, {
    message: 'either effect or delay_ms is required',
  });

const deliveryRuleSchema = z
  .strictObject({
    on: z.literal('delivery'),
    match: deliveryMatchSchema.default({}),
    effect: deliveryEffectSchema.optional(),
    ...limits,
    /** Virtual time before the attempt, or before the effect. In a pipeline, later events wait, too. */
    delay_seconds: z.number().positive().max(31_622_400).optional(),
  })
  .refine(({ effect, delay_seconds }) => effect !== undefined || delay_seconds !== undefined, {
    message: 'either effect or delay_seconds is required',
  });

/** A fault on demand: what it selects, what happens, and how often. */
export const faultRuleSchema = z.discriminatedUnion('on', [operationRuleSchema, deliveryRuleSchema]);

export type FaultRule = z.output<typeof faultRuleSchema>;
export type OperationRule = z.output<typeof operationRuleSchema>;
export type DeliveryRule = z.output<typeof deliveryRuleSchema>;
export type OperationEffect = z.output<typeof operationEffectSchema>;
export type DeliveryEffect = z.output<typeof deliveryEffectSchema>;
