import type { z } from 'zod';

export interface AdapterSettings {
  readonly type: string;
}

/** The schema of an adapter's settings. The member `type` must be a literal, so that the configuration can tell adapters apart. */
export type AdapterOptions<S extends AdapterSettings = AdapterSettings> = z.ZodType<S> & z.core.$ZodTypeDiscriminable;

/** The default data folder, relative to the configuration file. */
export const defaultData = 'aorta-data';
