import { providerForm } from '../connections/connections.ts';
import { providerOf } from '../connections/providers.ts';
import type { Generation } from '../teams/teams.ts';

/** Value that JSON can hold, as an object. */
export type Json = Readonly<Record<string, unknown>>;

/** Something that a provider has: one summary, the samples of one source, or a workout stream, as in the `data` of an event. */
export interface Arrival {
  /** As in event types, such as `heartrate`. */
  readonly resource: string;
  readonly data: Json;
  /** The whole stream of a workout. Its event carries only {@link data}. */
  readonly stream?: Json;
}

/** A device or an app at a provider. */
export interface Source {
  readonly provider: string;
  readonly type: string;
  readonly app_id: string | null;
  readonly device_id: string | null;
  readonly sport: string | null;
  readonly workout_id: string | null;
}

/** Returns the source of an arrival, of whichever generation its source object is. */
export function sourceOf({ data }: Arrival, provider: string): Source {
  const source = (data.source ?? {}) as Partial<Source>;
  return {
    provider,
    type: source.type ?? 'unknown',
    app_id: source.app_id ?? null,
    device_id: source.device_id ?? null,
    sport: source.sport ?? null,
    workout_id: source.workout_id ?? null,
  };
}

/** Returns the source object of an event or answer. */
export function sourceForm(source: Source, generation: Generation): Json {
  const described = providerForm(providerOf(source.provider)!);
  if (generation === 'old') return described;
  if (generation === 'both') return { ...source, ...described };
  const { provider, type, app_id, device_id, sport, workout_id } = source;
  return { provider, type, app_id, device_id, ...(workout_id === null ? {} : { sport, workout_id }) };
}
