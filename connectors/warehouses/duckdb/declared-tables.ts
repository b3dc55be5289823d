import type { StreamName, TableDeclaration } from '@aorta/schemas';

/** Table declarations with only their landed columns, which can be looked up by stream. */
export class DeclaredTables {
  readonly all: readonly TableDeclaration[];

  constructor(all: readonly TableDeclaration[]) {
    this.all = all;
  }

  of(stream: StreamName): TableDeclaration | undefined {
    return this.all.find((table) => table.stream === stream);
  }

  isTimeseries(stream: StreamName): boolean {
    return this.of(stream)?.shape === 'timeseries';
  }
}
