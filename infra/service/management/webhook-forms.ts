import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import { eventTypesSchema, headersSchema, secretSchema, urlSchema } from '../webhooks/endpoint-forms.ts';
import type { Endpoint } from '../webhooks/endpoints.ts';

const filterSchema = eventTypesSchema.nullish().describe('The event types that the webhook gets. Null or an empty list: all.');
const rateLimitSchema = z.int().min(1).nullish().describe('Most attempts in a second. Null: no limit.');

export const newWebhookSchema = z
  .object({
    url: urlSchema,
    description: z.string().default(''),
    rate_limit: rateLimitSchema,
    disabled: z.boolean().default(false),
    filter_types: filterSchema,
    secret: secretSchema.nullish().describe('The key that signs. Default: a new one.'),
  })
  .meta({ id: 'NewWebhook', examples: [{ url: 'https://example.com/events', filter_types: ['daily.data.sleep.created'] }] });

export const changedWebhookSchema = z
  .object({
    url: urlSchema.nullish(),
    description: z.string().nullish(),
    rate_limit: rateLimitSchema,
    disabled: z.boolean().nullish(),
    filter_types: filterSchema,
  })
  .meta({ id: 'ChangedWebhook' });

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    rate_limit: z.int().nullable(),
    disabled: z.boolean(),
    filter_types: z.array(z.string()).nullable(),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'Webhook' });

export const webhooksSchema = z.object({ data: z.array(webhookSchema), next_cursor: z.string().nullable() });

export const newHeadersSchema = z
  .object({ headers: headersSchema.describe('They replace all headers before.') })
  .meta({ id: 'NewWebhookHeaders' });

export const webhookHeadersSchema = z
  .object({
    headers: z.record(z.string(), z.string()),
    sensitive: z.array(z.string()).describe('Names of headers whose values are not shown, because they look like credentials.'),
  })
  .meta({ id: 'WebhookHeaders' });

export const rotatedSecretSchema = z
  .object({ key: secretSchema.nullish().describe('The new key. Default: a random one.') })
  .meta({ id: 'RotatedWebhookSecret' });

export const webhookSecretSchema = z.object({ key: z.string() }).meta({ id: 'WebhookSecret' });

export function webhookForm(endpoint: Endpoint): z.input<typeof webhookSchema> {
  const { endpoint_id, url, description, rate_limit, is_disabled, filter_types, created_at, updated_at } = endpoint;
  return {
    ...{ id: endpoint_id, url, description, rate_limit, disabled: is_disabled },
    filter_types: filter_types.length === 0 ? null : [...filter_types],
    ...{ created_at: instant(created_at), updated_at: instant(updated_at) },
  };
}

const SENSITIVE = /authorization|cookie|key|secret|token|password|signature/;

export function webhookHeadersForm({ headers }: Endpoint): z.input<typeof webhookHeadersSchema> {
  const all = Object.entries(headers);
  return {
    headers: Object.fromEntries(all.filter(([name]) => !SENSITIVE.test(name))),
    sensitive: all.map(([name]) => name).filter((name) => SENSITIVE.test(name)),
  };
}
