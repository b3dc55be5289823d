import type { z } from 'zod';

/** What the settings of every adapter have: the name of its type. */
export interface AdapterSettings {
  readonly type: string;
}

/** The schema of an adapter's settings: an object with its `type` as a literal, by which the configuration tells adapters apart. */
export type AdapterOptions<S extends AdapterSettings = AdapterSettings> = z.ZodType<S> & z.core.$ZodTypeDiscriminable;

/** The data folder of a configuration that names none, relative to that configuration. */
export const defaultData = 'aorta-data';
