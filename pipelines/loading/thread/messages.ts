import type { AdapterSettings, Landed, StreamLogAt, StreamNews, StreamPartition, TableChoices } from '@aorta/connectors';
import { AortaError, type ErrorFacts, factsOf, firstError, isAortaError, type Step } from '@aorta/runtime';
import { type LoaderOptions, Stopped, type Upcoming } from '../loader.ts';
import type { Report } from './reports.ts';

/** The warehouse to open, as data that can be sent to a thread. */
interface ThreadWarehouse extends TableChoices {
  /** Address of the module that exports the adapter; see `WarehouseAdapter.address`. */
  readonly address: string;
  readonly settings: AdapterSettings;
}

/** The warehouse and the streams that the thread opens, and the limits for the loader. */
export interface ThreadWork extends Pick<LoaderOptions, 'batch' | 'backlog'> {
  readonly warehouse: ThreadWarehouse;
  readonly streams: ThreadStreams;
}

interface ThreadStreams extends StreamLogAt {
  /** Address of the module that exports the adapter of the streams; see `StreamLogAdapter.address`. */
  readonly address: string;
}

/** Start parameters of the loader's thread, as data that can be sent to a thread. */
export interface ThreadSettings {
  readonly work: ThreadWork;
  readonly views: readonly StreamNews[];
  /**
   * State of the step that is being observed, shared with the main thread. The loader's thread waits until the observer
   * returns. Undefined if there is no observer.
   */
  readonly observed: Int32Array | undefined;
}

/** Calls to which the thread responds. */
export interface ThreadCalls {
  ready(): Promise<void>;
  finish(): Promise<void>;
  stop(): Promise<void>;
  rows(): Promise<Record<string, number>>;
  publish(): Promise<boolean>;
  close(): Promise<void>;
}

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: keyof ThreadCalls }
  | { readonly kind: 'grown'; readonly views: readonly StreamNews[] };

export type FromThread =
  | { readonly kind: 'opened'; readonly landed: readonly (readonly [StreamPartition, Landed])[] }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The loader has ended with an error. The thread still responds to calls, so that the main thread can close it. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly failure?: Failure }
  | { readonly kind: 'landed'; readonly of: StreamPartition; readonly landed: Landed }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'upcoming'; readonly upcoming: Upcoming }
  | { readonly kind: 'step'; readonly step: Step };

/** States of a step that is being observed. */
export const observation = { waiting: 0, returned: 1, threw: 2 } as const;

/**
 * An error, as sent between threads. For errors other than AortaError, only the name of the class is sent, because the
 * message may quote a value.
 */
export type Failure =
  | { readonly kind: 'catalogued'; readonly facts: ErrorFacts }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'other'; readonly name: string };

export function failureOf(thrown: unknown): Failure {
  const error = firstError(thrown);
  if (isAortaError(error)) return { kind: 'catalogued', facts: factsOf(error) };
  if (error instanceof Stopped) return { kind: 'stopped' };
  return { kind: 'other', name: error instanceof Error ? error.name : typeof error };
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === 'catalogued') return new AortaError(failure.facts);
  if (failure.kind === 'stopped') return new Stopped();
  return new AortaError('AORTA-BUG', { place: 'the jobs', problem: failure.name });
}
