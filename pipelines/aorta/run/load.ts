import { resolve } from 'node:path';
import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import { type Expansion, expand, FilesSource, type FilesSourceOptions, pathsMeant, SmallFiles } from '@aorta/connectors/registry';
import { isAhead } from '@aorta/connectors/sources';
import type { Tally } from '@aorta/ingestion';
import type { AortaError, Logger, StepObserver } from '@aorta/runtime';
import { ProgramError } from '../errors.ts';
import { type LoadReport, reportOf } from '../report/load-report.ts';
import { openReader } from '../report/stored-data.ts';
import { type PipelineSetting, pipelineSections, runPipeline } from './pipeline.ts';
import { outputsOf, type SourceOfRun } from './sources.ts';

/** The sections of the configuration that a load reads. */
export const loadSections = ['log', ...pipelineSections] as const;

export interface WhatToLoad {
  readonly setting: PipelineSetting;
  /** Files and folders; `-` is standard input. */
  readonly files: readonly string[];
  /** Base folder for relative paths. Default: the working directory. */
  readonly folder?: string;
  /** Whether to follow links in a folder that lead out of the given folders. Default: they are reported as problems. */
  readonly followLinks?: boolean;
  /** Source name in the receipts of plain events. Default: `files`. */
  readonly source?: string;
  /** Time at which plain events were received, in microseconds since 1970. */
  readonly receivedAt?: number | undefined;
  readonly input?: NodeJS.ReadableStream;
}

interface FileToLoad {
  readonly path: string;
  /** Null for standard input and for pipes, because their size is unknown. */
  readonly bytes: number | null;
}

export interface FilesToLoad {
  readonly files: readonly FileToLoad[];
  /** Paths of the files that were found in a folder. The caller named the others. */
  readonly found: ReadonlySet<string>;
  /**
   * One error for each folder entry that is not read: a broken link, a link out of the folder, a pipe, a folder without
   * permission. Outputs of Aorta are not read either.
   */
  readonly problems: readonly AortaError[];
}

const standardInput = '-';

/**
 * Expands paths given on the command line into files. A folder is replaced with its files, sorted by name. Hidden files are
 * left out. Throws AORTA-FILE-NOT-FOUND, AORTA-FILE-UNREADABLE or AORTA-FILE-NAME
 * if a given path cannot be read.
 */
async function filesToLoad(words: readonly string[], folder: string, expansion: Expansion): Promise<FilesToLoad> {
  const files: FileToLoad[] = [];
  const problems: AortaError[] = [];
  const found = new Set<string>();
  for await (const readable of expand(await pathsMeant(words, folder), { folder, ...expansion })) {
    if (readable.kind === 'file' && !readable.named) found.add(readable.path);
    if (readable.kind === 'file') files.push({ path: readable.path, bytes: readable.size });
    else if (readable.kind === 'once') files.push({ path: readable.path, bytes: null });
    else if (readable.named) throw readable.error;
    else problems.push(readable.error);
  }
  return { files, found, problems };
}

export interface LoadOptions extends WhatToLoad {
  /** Result of {@link planLoad}, if the caller has already called it. */
  readonly plan?: FilesToLoad;
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Passed to every part of the load, so that fault tests can kill the process at a given step. */
  readonly onStep?: StepObserver;
  /** Receives the number of bytes read from the files, and the counts of deliveries. */
  readonly onProgress?: (progress: { readonly read: number; readonly tally: Tally }) => void;
}

export interface LoadOutcome {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
  /** Losses in the streams, and problems with single files. Everything else was loaded. */
  readonly problems: readonly AortaError[];
  /** Total number of problems; `problems` contains only the first ones. */
  readonly problemCount: number;
}

/**
 * Lists the files that {@link load} would read. Throws AORTA-RECEIVED-AHEAD, AORTA-FILE-NOT-FOUND and
 * AORTA-FILE-UNREADABLE.
 */
export async function planLoad({ setting, files, ...what }: WhatToLoad): Promise<FilesToLoad> {
  const { folder = process.cwd(), receivedAt, followLinks = false } = what;
  const now = Date.now();
  if (receivedAt !== undefined && isAhead(receivedAt, now)) {
    const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
    throw new ProgramError('AORTA-RECEIVED-AHEAD', { time: iso(receivedAt / 1000), now: iso(now) });
  }
  return filesToLoad(files, folder, { followLinks, outputs: outputsOf(setting) });
}

/**
 * The facts that decide whether the user must state when plain event files were received. By default, Aorta uses the
 * modification time of each file. If the tables hold rows from another source, that default is unsafe: an old export that
 * was downloaded today would replace newer rows.
 */
interface ReceiptRule {
  /** Source name in the receipts of plain events. */
  readonly source: string;
  /** Whether the tables hold rows from a different source. */
  readonly others: boolean;
}

/** The kinds of files found, determined from the first deliveries of each file. */
interface Kinds {
  /** The first plain event file, if any. */
  readonly plain: string | undefined;
  /** Whether there are delivery files from a different source. */
  readonly others: boolean;
}

/** Options for reading the first deliveries. `name` is the source name under which the complete files are read later. */
type BeginningOptions = Required<Pick<FilesSourceOptions, 'name' | 'documentBytes' | 'openFile'>>;

/** Reads the first deliveries of each file. Ignores files that cannot be read, because the load reports them. */
async function kindsOf(files: readonly string[], reading: BeginningOptions): Promise<Kinds> {
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
function guarded<Position>(source: Source<Position>, { source: name, others }: ReceiptRule): Source<Position> {
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

/**
 * Loads files through the streams into the tables, and publishes the tables. Throws the errors of {@link planLoad} and
 * AORTA-FILE-RECEIVED-AT before it ingests any delivery. Otherwise throws the error that stopped the load.
 */
export async function load(options: LoadOptions): Promise<LoadOutcome> {
  const { setting, folder = process.cwd(), source = 'files', receivedAt, input } = options;
  const { files, found, problems } = options.plan ?? (await planLoad(options));
  const locate = (path: string) => (path === standardInput || folder === process.cwd() ? path : resolve(folder, path));
  const paths = files.map(({ path }) => locate(path));
  const regular = files.flatMap(({ path, bytes }) => (bytes === null ? [] : [locate(path)]));
  const documentBytes = setting.configuration.limits.document_bytes;
  const small = new SmallFiles();
  const reading = { name: source, documentBytes, found: new Set([...found].map(locate)) };
  // The beginning of a file shows its kind. The hash would need the whole file, so it is left out.
  const openFile = async (path: string, lineBytes: number) => ({ ...(await small.first(path, lineBytes)), hash: noHash });
  const kinds = receivedAt === undefined ? await kindsOf(regular, { ...reading, openFile }) : undefined;
  if (kinds?.plain !== undefined && kinds.others) throw new ProgramError('AORTA-FILE-RECEIVED-AT', { file: kinds.plain });
  const unknown = regular.length < files.length;

  const filesSource = new FilesSource({
    paths,
    ...reading,
    openFile: small.again.bind(small),
    receivedAt,
    stdin: input,
  });
  const outcome = await runPipeline({
    setting,
    sources: async ({ catchUp }) => {
      if (kinds === undefined || (kinds.plain === undefined && !unknown)) return [once(filesSource)];
      await catchUp();
      const others = kinds.others || (await hasOtherSources(setting, source));
      if (kinds.plain !== undefined && others) throw new ProgramError('AORTA-FILE-RECEIVED-AT', { file: kinds.plain });
      return [once(guarded(filesSource, { source, others }))];
    },
    signal: options.signal,
    logger: options.logger,
    onStep: options.onStep,
    onProgress: (tally) => options.onProgress?.({ read: filesSource.progress.bytesRead, tally }),
  });
  return {
    ended: outcome.ended,
    report: reportOf(outcome.tally, outcome.tables ?? {}),
    problems: [...outcome.losses, ...problems, ...filesSource.errors],
    problemCount: outcome.losses.length + problems.length + filesSource.errorCount,
  };
}

/** Stands in for the hash of the content. {@link isPlain} needs only its form. */
const noHash = async (): Promise<string> => '0'.repeat(16);

/** Wraps a source that is read in a single pass. */
function once(source: Source): SourceOfRun {
  return { open: () => source, againAfterMs: 0 };
}

/** Returns whether the published tables hold rows of a source with a different name. */
async function hasOtherSources(setting: PipelineSetting, source: string): Promise<boolean> {
  await using reader = await openReader(setting);
  const { rows } = await reader.query(`select 1 from deliveries where source <> '${source.replaceAll("'", "''")}' limit 1`);
  for await (const batch of rows) if (batch.length > 0) return true;
  return false;
}
