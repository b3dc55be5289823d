import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import { availableResources, type Connection } from './connection.ts';
import { type Provider, providerOf } from './provider-catalogue.ts';

export const providerSchema = z.object({ name: z.string(), slug: z.string(), logo: z.string() }).meta({ id: 'Provider' });

export const connectedSourceSchema = z
  .object({ created_on: instantSchema, source: providerSchema, provider: providerSchema })
  .meta({ id: 'ConnectedSource' });

const availabilitySchema = z.object({
  status: z.enum(['available', 'unavailable']),
  scope_requirements: z.null(),
});

export const errorTypes = [
  'token_refresh_failed',
  'webhook_registration_failed',
  'user_not_found',
  'deregistered_per_provider',
  'required_scopes_not_granted',
  'provider_credential_error',
  'provider_password_expired',
  'unknown',
] as const;

export const connectionSchema = z
  .object({
    ...providerSchema.shape,
    created_on: instantSchema,
    status: z.enum(['connected', 'error']),
    external_user_id: z.string().nullable(),
    error_details: z.object({ error_type: z.enum(errorTypes), error_message: z.string(), errored_at: instantSchema }).nullable(),
    resource_availability: z.record(z.string(), availabilitySchema),
  })
  .meta({ id: 'Connection' });

export function providerForm({ name, slug }: Provider): z.input<typeof providerSchema> {
  return { name, slug, logo: `https://images.example.com/${slug}.png` };
}

export function resourceAvailability(connection: Connection): Record<string, z.input<typeof availabilitySchema>> {
  const { resources } = providerOf(connection.provider)!;
  const available = new Set(availableResources(connection));
  return Object.fromEntries(
    resources.map((resource) => [
      resource,
      { status: available.has(resource) ? 'available' : 'unavailable', scope_requirements: null },
    ]),
  );
}

export function connectedSourceForm({ provider, created_on }: Connection): z.input<typeof connectedSourceSchema> {
  const form = providerForm(providerOf(provider)!);
  return { created_on: instant(created_on), source: form, provider: form };
}

export function connectionForm(connection: Connection): z.input<typeof connectionSchema> {
  const { created_on, external_user_id, error_type, error_message, errored_at } = connection;
  const provider = providerOf(connection.provider)!;
  return {
    ...providerForm(provider),
    created_on: instant(created_on),
    status: error_type === null ? 'connected' : 'error',
    external_user_id,
    error_details:
      error_type === null
        ? null
        : {
            error_type: error_type as (typeof errorTypes)[number],
            error_message: error_message!,
            errored_at: instant(errored_at!),
          },
    resource_availability: resourceAvailability(connection),
  };
}
