import { writeOrCheck } from '@aorta/schemas/generated-files';
import { cliReference } from '../cli-reference.ts';
import { configurationReference } from '../configuration/reference.ts';
import { errorsReference } from './errors.ts';
import { metricsReference } from './metrics.ts';
import { viewsReference } from './views.ts';

/** Returns the reference pages that are generated from the program, keyed by path relative to the repository's root. */
export function referencePages(): Record<string, string> {
  return {
    'docs/reference/cli.md': cliReference(),
    'docs/reference/configuration.md': configurationReference(),
    'docs/reference/errors.md': errorsReference(),
    'docs/reference/metrics.md': metricsReference(),
    'docs/reference/views.md': viewsReference(),
  };
}

if (import.meta.main) writeOrCheck(referencePages(), 'the program');
