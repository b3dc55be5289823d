import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDeclarations } from './declarations.ts';
import { referencePage } from './reference.ts';
import { tablesModule } from './tables.ts';
import { streamsModule } from './types.ts';

/** Everything that is generated from the declarations, by path from the repository's root. */
export function generated(): Record<string, string> {
  const { shared, streams } = readDeclarations();
  const banner = '// Generated from schemas/streams/*.avsc by `npm run generate`. Do not edit.\n';
  return {
    'schemas/streams/streams.generated.ts': banner + streamsModule(shared, streams),
    'schemas/tables/tables.generated.ts': banner + tablesModule(streams),
    'docs/reference/streams.md': referencePage(streams),
  };
}

const root = join(import.meta.dirname, '..', '..');

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const stale = Object.entries(generated()).filter(([path, text]) => current(path) !== text);
  if (process.argv.includes('--check')) {
    for (const [path] of stale) process.stderr.write(`${path} does not match the declarations: run npm run generate\n`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      process.stderr.write(`wrote ${path}\n`);
    }
  }
}
