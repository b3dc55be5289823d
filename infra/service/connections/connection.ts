import { providerOf } from './provider-catalogue.ts';

/** A user's connection to a provider, as stored. Times are in milliseconds since 1970. */
export interface Connection {
  readonly user_id: string;
  readonly provider: string;
  readonly created_on: number;
  /** When the provider was last connected: the same as {@link created_on}, or later after a break. */
  readonly since: number;
  readonly external_user_id: string | null;
  readonly error_type: string | null;
  readonly error_message: string | null;
  readonly errored_at: number | null;
  readonly is_demo: number;
  /** 1 if the provider has generated data. Otherwise, data comes only through the control port. */
  readonly is_generated: number;
  /** JSON: resources that the user's permission does not cover. */
  readonly unavailable: string;
}

/** Returns the resources of a connection's provider that the user's permission covers. */
export function availableResources({ provider, unavailable }: Connection): readonly string[] {
  const refused = new Set(JSON.parse(unavailable) as string[]);
  return providerOf(provider)!.resources.filter((resource) => !refused.has(resource));
}
