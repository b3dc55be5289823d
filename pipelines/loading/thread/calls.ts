import type { MessagePort, Worker } from 'node:worker_threads';
import type { AdapterSettings, Landed, StreamLogAt, StreamNews, StreamPartition, TableChoices } from '@aorta/connectors';
import { AortaError, type ErrorFacts, factsOf, firstError, isAortaError, type Step } from '@aorta/runtime';
import { type LoaderOptions, Stopped, type Upcoming } from '../loader.ts';
import type { Reports } from './reports.ts';

/** The warehouse to open, as data that can be sent to a thread. */
interface ThreadWarehouse extends TableChoices {
  /** Address of the module that exports the adapter; see `WarehouseAdapter.address`. */
  readonly address: string;
  readonly settings: AdapterSettings;
}

/** The warehouse and the streams that the thread opens, and the limits for the loader. */
export interface ThreadWork {
  readonly warehouse: ThreadWarehouse;
  /** `address` is that of the module that exports the adapter of the streams; see `StreamLogAdapter.address`. */
  readonly streams: StreamLogAt & { readonly address: string };
  readonly limits?: Pick<LoaderOptions, 'batch' | 'backlog'>;
}

/** The first message to the loader's thread. */
export interface ThreadSettings {
  readonly work: ThreadWork;
  readonly views: readonly StreamNews[];
  /**
   * State of the step that is being observed, shared with the main thread. The loader's thread waits until the observer
   * returns. Undefined if there is no observer.
   */
  readonly observed: Int32Array | undefined;
}

/** States of a step that is being observed. */
export const observation = { waiting: 0, returned: 1, threw: 2 } as const;

/** Methods of the loader's thread that the main thread calls. */
export interface LoaderCalls {
  ready(): Promise<void>;
  finish(): Promise<void>;
  stop(): Promise<void>;
  rows(): Promise<Record<string, number>>;
  publish(): Promise<boolean>;
  /** Closes everything and ends the thread. */
  close(): Promise<void>;
  /** Called when streams have grown. */
  see(views: readonly StreamNews[]): void;
}

/** Methods of the main thread that the loader's thread calls. Only `replaceDamaged` has an answer. */
export interface MainCalls extends Reports {
  opened(landed: readonly (readonly [StreamPartition, Landed])[]): void;
  /** The warehouse or the log could not be opened. The thread ends. */
  refused(failure: Failure): void;
  /** The loader has ended with an error. The thread still responds to calls, so that the main thread can close it. */
  failed(failure: Failure): void;
  landed(of: StreamPartition, landed: Landed): void;
  upcoming(upcoming: Upcoming): void;
  step(step: Step): void;
  /** Replaces a damaged part of the streams. The new views arrive before the answer. */
  replaceDamaged(of: StreamPartition, position: number): Promise<void>;
}

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
  return new AortaError('AORTA-BUG', { place: 'the loader', problem: failure.name });
}

/** A call of a method by its name. It has an id if the caller waits for the answer. */
interface Call {
  readonly name: string;
  readonly args: readonly never[];
  readonly id?: number;
}

interface Answer {
  readonly to: number;
  readonly value?: unknown;
  readonly failure?: Failure;
}

type Methods<T> = { readonly [K in keyof T]: (...args: never[]) => unknown };

/** The other thread. Calls its methods `T`, and answers its calls. Messages keep their order. Arguments and results are copied. */
export class OtherThread<T extends Methods<T>> {
  readonly #port: MessagePort | Worker;
  /** Calls that have not been answered yet. */
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #failure: Error | undefined;

  constructor(port: MessagePort | Worker) {
    this.#port = port;
  }

  /** The error that ended the other thread. All later calls fail with the same error. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Answers the calls of the other thread with these methods, including the calls that have already arrived. */
  serve<Own extends Methods<Own>>(own: Own): void {
    const methods = own as Readonly<Record<string, (...args: readonly never[]) => unknown>>;
    this.#port.on('message', (message: Call | Answer) => {
      if ('to' in message) this.#receive(message);
      else if (message.id === undefined) methods[message.name]!(...message.args);
      else void this.#answer(message.id, async () => methods[message.name]!(...message.args));
    });
  }

  /** Calls a method without an answer. */
  tell<K extends keyof T & string>(name: K, ...args: Parameters<T[K]>): void {
    this.#port.postMessage({ name, args });
  }

  /** Calls a method. Resolves with its result. Rejects if the call fails or the other thread has ended. */
  call<K extends keyof T & string>(name: K, ...args: Parameters<T[K]>): Promise<Awaited<ReturnType<T[K]>>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#port.postMessage({ name, args, id });
    return waiting.promise as Promise<Awaited<ReturnType<T[K]>>>;
  }

  /** Makes all pending and later calls reject with the first error passed to this method, and returns this error. */
  fail(error: Error): Error {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }

  async #answer(to: number, work: () => Promise<unknown>): Promise<void> {
    const answer = await work().then(
      (value): Answer => ({ to, value }),
      (error: unknown): Answer => ({ to, failure: failureOf(error) }),
    );
    this.#port.postMessage(answer);
  }

  #receive({ to, value, failure }: Answer): void {
    const waiting = this.#waiting.get(to);
    this.#waiting.delete(to);
    if (failure === undefined) waiting?.resolve(value);
    else waiting?.reject(errorOf(failure));
  }
}
