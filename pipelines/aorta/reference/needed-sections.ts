import { type Section, sections } from '../config/schema.ts';
import { loadSections } from '../run/load.ts';
import { partNames, sectionsOfPart } from '../run/parts.ts';

/** The sections of the configuration that a command reads. */
export interface NeededSections {
  /** The command without `aorta`. */
  readonly command: string;
  /** Options with which the command reads these sections instead. */
  readonly options?: readonly string[];
  /** Sections that the command cannot do without. A test compares them with the variables that the command reports. */
  readonly needs: readonly Section[];
  /** Sections that the command reads if their variables are set. */
  readonly readable?: readonly Section[];
}

const apply = ['streams', 'warehouse', 'privacy', 'preferences'] as const;

/** One row for each command that reads a configuration, and for options that change what it reads. */
export const neededSections: readonly NeededSections[] = [
  { command: 'load', needs: loadSections },
  { command: 'run', needs: sections },
  ...partNames.map((part) => ({ command: 'run', options: [`--only ${part}`], needs: sectionsOfPart[part] })),
  { command: 'backfill', needs: ['service', ...loadSections] },
  { command: 'query', needs: ['warehouse'], readable: ['streams'] },
  { command: 'status', needs: ['streams', 'warehouse'], readable: ['sources'] },
  { command: 'status', options: ['--cost', '--completeness'], needs: ['warehouse'] },
  { command: 'pulls', needs: ['warehouse'], readable: ['service', 'streams'] },
  { command: 'pulls', options: ['--test-notice'], needs: ['historical_pulls'] },
  { command: 'streams', needs: ['streams'] },
  { command: 'streams', options: ['--sources'], needs: [], readable: ['sources', 'streams'] },
  { command: 'tail', needs: ['streams'] },
  { command: 'dlq list', needs: ['streams'] },
  { command: 'dlq show', needs: ['streams'] },
  { command: 'validate', needs: sections },
  { command: 'validate', options: ['--schema'], needs: [] },
  { command: 'plan', needs: apply },
  { command: 'apply', needs: apply },
  { command: 'doctor', needs: sections },
  { command: 'schema', needs: ['privacy'] },
];
