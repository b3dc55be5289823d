import type { ProviderConnection } from './connection.ts';
import type { Provider } from './provider.ts';

/** Returns the deprecated description of a provider. */
export function describeProvider(provider: Provider): { name: string; slug: string; logo: string } {
  return { name: provider.name, slug: provider.slug, logo: `https://images.example.com/${provider.slug}.png` };
}

/**
 * Returns the source object of summaries and timeseries, in the form that the connection uses. The oldest form has 3
 * members, the transitional form has all 9 (some null), and the current form has 4. Only summaries have an `app_id`.
 */
export function sourceObject(connection: ProviderConnection, sourceType: string, summary: boolean): Record<string, unknown> {
  const { provider, generation } = connection;
  if (generation === 'old') return describeProvider(provider);
  const current = {
    provider: provider.slug,
    type: sourceType,
    app_id: summary ? connection.appId : null,
    device_id: connection.deviceIds[sourceType] ?? null,
  };
  return generation === 'both' ? { ...current, sport: null, workout_id: null, ...describeProvider(provider) } : current;
}
