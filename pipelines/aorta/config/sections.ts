import { type Configuration, configurationSchema } from './schema.ts';

/** A section of the configuration: a top-level field of `aorta.yaml`. */
export type Section = keyof Configuration;

/** All sections, in the order of the reference. */
export const sections = Object.keys(configurationSchema.shape) as readonly Section[];

/** The sections that a command reads. A variable of another section may be unset. */
export interface Reading<Opened extends Section = Section, Shown extends Section = Section> {
  /** Sections that the command cannot do without: all their variables must be set. */
  readonly opens: readonly Opened[];
  /**
   * Sections that the command can do without. It reads a section if its variables are set, and `sources` source by source.
   * The variables that determine the folder of the streams must always be set.
   */
  readonly shows?: readonly Shown[];
}

/** The reading of a command that needs the whole configuration. */
export const everySection: Reading<Section, never> = { opens: sections };
