import { readDeclarations } from './declarations.ts';
import { writeOrCheck } from './generated-files.ts';
import { measuresPage } from './measures-reference.ts';
import { referencePage } from './reference.ts';
import { tablesModule } from './tables.ts';
import { streamsModule } from './types.ts';

/** Returns the content of all generated files, by path relative to the repository root. */
export function generated(): Record<string, string> {
  const { shared, streams } = readDeclarations();
  const banner = '// Generated from schemas/streams/*.avsc by `npm run generate`. Do not edit.\n';
  return {
    'schemas/streams/streams.generated.ts': banner + streamsModule(shared, streams),
    'schemas/tables/tables.generated.ts': banner + tablesModule(streams),
    'docs/reference/streams.md': referencePage(streams),
    'docs/reference/measures.md': measuresPage(),
  };
}

if (import.meta.main) writeOrCheck(generated(), 'the declarations');
