import type { KafkaStreamsSettings, StreamPartition, StreamView } from '@aorta/streams';
import { AortaError, type ErrorCode, type ErrorDetails, isAortaError, type Step } from '@aorta/telemetry';
import type { BigQuerySettings, DuckDbWarehouseOptions, Landed, Privacy } from '@aorta/warehouse';
import { type JobsOptions, Stopped, type Upcoming } from '../jobs.ts';
import type { Report } from './reports.ts';

/** What a warehouse is opened with, as plain data. */
export type ThreadWarehouse =
  | Omit<DuckDbWarehouseOptions, 'logger' | 'onStep' | 'clock'>
  | (BigQuerySettings & { readonly privacy: Privacy });

/** The warehouse that the thread opens, and how it paces itself. */
export interface ThreadWork extends Pick<JobsOptions, 'batch' | 'backlog'> {
  readonly warehouse: ThreadWarehouse;
  /** Folder of the local log, or the topics and as whom this process reads them. */
  readonly streams: string | TopicsToRead;
}

/** Streams that the thread reads by itself, as one of the workers that share them. */
export interface TopicsToRead {
  readonly kafka: KafkaStreamsSettings;
  readonly clientId: string;
}

/** What the thread of the jobs is started with: plain data. */
export interface ThreadSettings {
  readonly work: ThreadWork;
  readonly views: readonly StreamView[];
  /** Where somebody observes the steps: the thread waits here until the observer has been told. */
  readonly observed: Int32Array | undefined;
}

/** What the thread can be asked for; each call is answered. */
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
  | { readonly kind: 'grown'; readonly views: readonly StreamView[] }
  | { readonly kind: 'committed'; readonly id: number; readonly failure?: Failure };

export type FromThread =
  | { readonly kind: 'opened'; readonly landed: readonly (readonly [StreamPartition, Landed])[] }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The jobs have ended with an error. Calls are still answered, so that they can be closed. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly failure?: Failure }
  | {
      readonly kind: 'commit';
      readonly id: number;
      readonly group: string;
      readonly of: StreamPartition;
      readonly position: number;
    }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'upcoming'; readonly upcoming: Upcoming }
  | { readonly kind: 'step'; readonly step: Step };

/** What the thread that waits for an observer finds. */
export const observation = { waiting: 0, told: 1, threw: 2 } as const;

/** An error on its way between threads. Of one that is not ours only the kind goes: its message may quote a value. */
export type Failure =
  | { readonly kind: 'catalogued'; readonly code: ErrorCode; readonly details: ErrorDetails }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'other'; readonly name: string };

export function failureOf(error: unknown): Failure {
  if (isAortaError(error)) return { kind: 'catalogued', code: error.code, details: error.details };
  if (error instanceof Stopped) return { kind: 'stopped' };
  return { kind: 'other', name: error instanceof Error ? error.name : typeof error };
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === 'catalogued') return new AortaError(failure.code, failure.details);
  if (failure.kind === 'stopped') return new Stopped();
  return new AortaError('AORTA-BUG', { place: 'the jobs', problem: failure.name });
}
