import { providerForm } from '../connections/connection-forms.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import type { Generation } from '../teams/generation.ts';
import type { Json, Source } from './arrival.ts';

/** Returns the source object of an event or answer. */
export function sourceForm(source: Source, generation: Generation): Json {
  const described = providerForm(providerOf(source.provider)!);
  if (generation === 'old') return described;
  if (generation === 'both') return { ...source, ...described };
  const { provider, type, app_id, device_id, sport, workout_id } = source;
  return { provider, type, app_id, device_id, ...(workout_id === null ? {} : { sport, workout_id }) };
}
