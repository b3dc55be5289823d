import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import { FilesSource, type FilesSourceOptions } from '@aorta/connectors/registry';
import { ProgramError } from './errors.ts';

/**
 * The facts that decide whether the user must state when plain event files were received. By default, Aorta uses the
 * modification time of each file. If the tables hold rows from another source, that default is unsafe: an old export that
 * was downloaded today would replace newer rows.
 */
export interface ReceiptRule {
  /** Source name in the receipts of plain events. */
  readonly source: string;
  /** Whether the tables hold rows from a different source. */
  readonly others: boolean;
}

/** The kinds of files found, determined from the first deliveries of each file. */
export interface Kinds {
  /** The first plain event file, if any. */
  readonly plain: string | undefined;
  /** Whether there are delivery files from a different source. */
  readonly others: boolean;
}

/** Options for reading the first deliveries. `name` is the source name under which the complete files are read later. */
type BeginningOptions = Required<Pick<FilesSourceOptions, 'name' | 'documentBytes' | 'openFile'>>;

/** Reads the first deliveries of each file. Ignores files that cannot be read, because the load reports them. */
export async function kindsOf(files: readonly string[], reading: BeginningOptions): Promise<Kinds> {
  let plain: string | undefined;
  let others = false;
  for (const file of files) {
    for (const delivery of await firstDeliveries(file, reading)) {
      if (isPlain(delivery, reading.name)) plain ??= file;
      else if (delivery.source !== reading.name) others = true;
    }
  }
  return { plain, others };
}

async function firstDeliveries(file: string, reading: BeginningOptions): Promise<readonly Delivery[]> {
  const stop = new AbortController();
  const batches = new FilesSource({ paths: [file], ...reading }).batches(stop.signal);
  await using ending = new AsyncDisposableStack();
  ending.defer(async () => void (await batches.return?.(undefined)));
  ending.defer(() => stop.abort());
  try {
    const first = await batches.next();
    return first.done === true ? [] : first.value.deliveries;
  } catch {
    return [];
  }
}

/**
 * Returns whether a delivery is a plain event. The partition of a plain event is a hash of the file's content. Malformed
 * lines also have such a partition, but they become dead letters.
 */
function isPlain(delivery: Delivery, source: string): boolean {
  return delivery.source === source && delivery.malformed !== true && /^[0-9a-f]{16}$/.test(delivery.partition);
}

/**
 * Wraps a source so that it fails with AORTA-FILE-RECEIVED-AT if a pipe delivers plain events and the tables hold rows from
 * another source.
 */
export function guarded<Position>(source: Source<Position>, { source: name, others }: ReceiptRule): Source<Position> {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions),
    async *batches(signal): AsyncGenerator<DeliveryBatch<Position>> {
      let mixed = others;
      for await (const batch of source.batches(signal)) {
        if (mixed && batch.deliveries.some((delivery) => isPlain(delivery, name)))
          throw new ProgramError('AORTA-FILE-RECEIVED-AT', { file: 'Standard input' });
        mixed ||= batch.deliveries.some((delivery) => delivery.source !== name);
        yield batch;
      }
    },
  };
}
