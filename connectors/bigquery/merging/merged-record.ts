import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { mergeRanges, partIn } from '../../warehouses/merging/landed-dates.ts';
import type { Lacking } from '../../warehouses/merging/pending-merge.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';

/** Merged days by batch and target. An empty set means that the whole batch is merged into an unpartitioned target. */
export class MergedRecord {
  readonly #merged = new Map<string, Map<string, Set<number>>>();

  add(batch: string, target: string, days: readonly number[]): void {
    let targets = this.#merged.get(batch);
    if (targets === undefined) {
      targets = new Map();
      this.#merged.set(batch, targets);
    }
    let known = targets.get(target);
    if (known === undefined) {
      known = new Set();
      targets.set(target, known);
    }
    for (const day of days) known.add(day);
  }

  addAll(other: MergedRecord): void {
    for (const [batch, targets] of other.#merged) for (const [target, days] of targets) this.add(batch, target, [...days]);
  }

  of(batch: string, target: string): ReadonlySet<number> | undefined {
    return this.#merged.get(batch)?.get(target);
  }

  forget(batch: string): void {
    this.#merged.delete(batch);
  }

  batches(): IterableIterator<string> {
    return this.#merged.keys();
  }
}

/** Returns the parts of a batch that are not merged into the tables yet, recent dates before old ones. */
export function lackingOf(
  batch: LandedBatch,
  merged: MergedRecord,
  tables: readonly TableDeclaration[],
): Lacking<TableDeclaration>[] {
  return targetsOf(batch.stream, tables).flatMap((target) => {
    const done = merged.of(batch.name, target.name);
    return partsOf(batch, target).flatMap((part) => {
      if (target.partition === undefined) return done === undefined ? [part] : [];
      const days = done === undefined ? part.days : part.days.filter((day) => !done.has(day));
      return days.length === 0 ? [] : [{ ...part, days }];
    });
  });
}

export function isMerged(batch: LandedBatch, merged: MergedRecord, tables: readonly TableDeclaration[]): boolean {
  return lackingOf(batch, merged, tables).length === 0;
}

function targetsOf(stream: string, tables: readonly TableDeclaration[]): TableDeclaration[] {
  const own = tables.find((table) => table.stream === stream);
  return own === undefined ? [deliveries] : [own, deliveries];
}

/** Returns all parts of a batch for a table, even those that are merged. */
function partsOf(batch: LandedBatch, target: TableDeclaration): Lacking<TableDeclaration>[] {
  const { records: rows, receivedDays } = batch;
  if (target.shape === 'deliveries') return [{ target, range: 'recent', days: receivedDays, rows }];
  if (target.partition === undefined) return [{ target, range: 'recent', days: [], rows }];
  return mergeRanges.map((range) => ({ target, ...partIn(batch, range) }));
}
