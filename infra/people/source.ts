import type { Connection } from './connection.ts';
import type { Provider } from './provider.ts';

/** The deprecated description of a provider: `{name, slug, logo}`. */
export function describeProvider(provider: Provider): { name: string; slug: string; logo: string } {
  return { name: provider.name, slug: provider.slug, logo: `https://images.example.com/${provider.slug}.png` };
}

/**
 * The source object of summaries and timeseries, in the connection's generation: `{name, slug, logo}`; all nine members, nulls included;
 * or the four current ones. `app_id` is known for summaries only.
 */
export function sourceObject(connection: Connection, sourceType: string, summary: boolean): Record<string, unknown> {
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
