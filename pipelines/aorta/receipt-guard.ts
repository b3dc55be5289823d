import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import { FilesSource, type FilesSourceOptions } from '@aorta/connectors/registry';
import { ProgramError } from './errors.ts';

/**
 * A plain event file has its time of change as its receipt. Where rows of another source stand in the tables, an old
 * export that was downloaded today would win over them by accident: then its receipt has to be told.
 */
export interface ReceiptRule {
  /** Name of the source that plain files have. */
  readonly source: string;
  /** Whether the tables hold rows of another source. */
  readonly others: boolean;
}

/** What kinds of files there are, by their beginnings. */
export interface Kinds {
  /** The first file of plain events; undefined where there is none. */
  readonly plain: string | undefined;
  /** Whether there are delivery files of another source. */
  readonly others: boolean;
}

/** How the beginnings of files are read. `name` is that of the source which reads the files whole. */
type BeginningOptions = Required<Pick<FilesSourceOptions, 'name' | 'documentBytes' | 'openFile'>>;

/** Looks at the first deliveries of each file. What is wrong with a file is found, and told, when it is read whole. */
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

/** Plain events have their file's content as partition; lines that are no delivery have it too, and are dead letters. */
function isPlain(delivery: Delivery, source: string): boolean {
  return delivery.source === source && delivery.malformed !== true && /^[0-9a-f]{16}$/.test(delivery.partition);
}

/** The source, ending with AORTA-FILE-RECEIVED-AT where plain events come after rows of another source: what comes through a pipe is not known before. */
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
