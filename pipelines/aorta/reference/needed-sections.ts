import { type Section, sections } from '../config/schema.ts';
import { loadSections } from '../run/load.ts';
import { partNames, sectionsOfPart } from '../run/parts.ts';

/** The sections of the configuration that a command reads. */
export interface NeededSections {
  /** The full name, such as `aorta dlq show`. */
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
  { command: 'aorta load', needs: loadSections },
  { command: 'aorta run', needs: sections },
  ...partNames.map((part) => ({ command: 'aorta run', options: [`--only ${part}`], needs: sectionsOfPart[part] })),
  { command: 'aorta backfill', needs: ['service', ...loadSections] },
  { command: 'aorta query', needs: ['warehouse'], readable: ['streams'] },
  { command: 'aorta status', needs: ['streams', 'warehouse'], readable: ['sources'] },
  { command: 'aorta status', options: ['--cost', '--completeness'], needs: ['warehouse'] },
  { command: 'aorta pulls', needs: ['warehouse'], readable: ['service', 'streams'] },
  { command: 'aorta pulls', options: ['--test-notice'], needs: ['historical_pulls'] },
  { command: 'aorta streams', needs: ['streams'] },
  { command: 'aorta streams', options: ['--sources'], needs: [], readable: ['sources', 'streams'] },
  { command: 'aorta tail', needs: ['streams'] },
  { command: 'aorta dlq list', needs: ['streams'] },
  { command: 'aorta dlq show', needs: ['streams'] },
  { command: 'aorta validate', needs: sections },
  { command: 'aorta validate', options: ['--schema'], needs: [] },
  { command: 'aorta plan', needs: apply },
  { command: 'aorta apply', needs: apply },
  { command: 'aorta doctor', needs: sections },
  { command: 'aorta schema', needs: ['privacy'] },
];
