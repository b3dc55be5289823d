import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@aorta/runtime';
import { begin, type Ending, type Order, type StopSignal, type Supervision, supervision } from './restarting.ts';

export interface Crash {
  readonly pid: number;
  readonly ending: Ending;
}

export interface SuperviseOptions {
  /** Starts a worker process. `restarts`: number of earlier crashes. */
  readonly start: (restarts: number) => ChildProcess;
  readonly logger: Logger;
  /**
   * Called after a crash and before the restart, to release partitions that the crashed process still owns. If the
   * callback rejects, only the kind of the error is logged. The restart waits for at most {@link CLEARING_MS}.
   */
  readonly afterCrash?: ((crash: Crash) => Promise<void>) | undefined;
  /** Emitter of process signals. Default: this process. */
  readonly signals?: NodeJS.EventEmitter;
}

const CLEARING_MS = 10_000;

/**
 * Keeps a worker process running until it ends normally or a stop is requested; see {@link supervision} for the rules.
 * Forwards this process's signals to the worker. Returns how the last worker ended.
 */
export async function supervise({ start, logger, afterCrash, signals = process }: SuperviseOptions): Promise<Ending> {
  return new Promise((resolve) => {
    let state: Supervision = begin(performance.now());
    let worker: ChildProcess;
    let rest: NodeJS.Timeout | undefined;
    let crash: Crash | undefined;

    const hear = (happening: Parameters<typeof supervision>[1]): void => {
      const result = supervision(state, happening);
      state = result.state;
      for (const order of result.orders) carryOut(order);
    };

    const launch = (restarts: number): void => {
      worker = start(restarts);
      const { pid = 0 } = worker;
      logger.info('worker process started', { pid, restarts });
      const ended = (ending: Ending): void => {
        crash = { pid, ending };
        hear({ kind: 'ended', ending, at: performance.now() });
      };
      // The process could not be started. A retry would fail for the same reason.
      worker.once('error', () => worker.pid === undefined && ended({ code: 1 }));
      worker.once('exit', (code, signal) => ended(signal === null ? { code: code ?? 1 } : { signal }));
    };

    const carryOut = (order: Order): void => {
      if (order.kind === 'start') launch(order.restarts);
      else if (order.kind === 'pass-on') worker.kill(order.signal);
      else if (order.kind === 'rest') restartLater(order);
      else finish(order.ending);
    };

    const restartLater = ({ milliseconds, restarts }: Extract<Order, { kind: 'rest' }>): void => {
      const { pid, ending } = crash!;
      const how = ending.signal === undefined ? { exit_code: ending.code } : { signal: ending.signal };
      logger.warn('worker process crashed', { pid, ...how, restarts, again_in_ms: milliseconds });
      void cleared(crash!).then(() => {
        if (state.phase !== 'resting') return;
        rest = setTimeout(() => hear({ kind: 'rested', at: performance.now() }), milliseconds);
      });
    };

    const finish = (ending: Ending): void => {
      clearTimeout(rest);
      for (const [name, listener] of Object.entries(listeners)) signals.off(name, listener);
      resolve(ending);
    };

    const cleared = async (after: Crash): Promise<void> => {
      if (afterCrash === undefined) return;
      const late = Promise.withResolvers<void>();
      using _timer = setTimeout(late.resolve, CLEARING_MS);
      try {
        await Promise.race([afterCrash(after), late.promise]);
      } catch (error) {
        logger.warn('cannot release the partitions of the crashed process', {
          kind: error instanceof Error ? error.name : typeof error,
        });
      }
    };

    const on = (signal: StopSignal) => () => hear({ kind: 'stop', signal });
    const listeners = { SIGINT: on('SIGINT'), SIGTERM: on('SIGTERM') } as const;
    for (const [name, listener] of Object.entries(listeners)) signals.on(name, listener);
    launch(0);
  });
}
