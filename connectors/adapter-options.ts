import type { z } from 'zod';

export interface AdapterSettings {
  readonly type: string;
}

/** The schema of an adapter's settings. The member `type` must be a literal, because adapters are selected by `type`. */
export type AdapterOptions<S extends AdapterSettings = AdapterSettings> = z.ZodType<S> & z.core.$ZodTypeDiscriminable;

/** The default data folder, relative to the configuration file. */
export const defaultData = 'aorta-data';
