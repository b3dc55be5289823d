import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@aorta/runtime';
import { begin, type Ending, type Order, type StopSignal, type Supervision, supervision } from './restarting.ts';

/** A working process that crashed. */
export interface Crash {
  readonly pid: number;
  readonly ending: Ending;
}

export interface SuperviseOptions {
  /** Starts a working process; `restarts`: crashes before it. */
  readonly start: (restarts: number) => ChildProcess;
  readonly logger: Logger;
  /** After a crash and before the next start: gives free what the process held elsewhere, where it cannot do so any more. What it throws is logged by its kind and changes nothing; after {@link CLEARING_MS} it is not waited for. */
  readonly afterCrash?: ((crash: Crash) => Promise<void>) | undefined;
  /** Where signals come from; default: this process. */
  readonly signals?: NodeJS.EventEmitter;
}

const CLEARING_MS = 10_000;

/**
 * Keeps a working process running until it ends on purpose or somebody asks to stop; the rules are `supervision`. Gives
 * how the last process ended. Signals to this process are passed on.
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
      logger.info('working process started', { pid, restarts });
      const ended = (ending: Ending): void => {
        crash = { pid, ending };
        hear({ kind: 'ended', ending, at: performance.now() });
      };
      // There is no process: what stands in the way of starting one is not gone in a moment.
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
      logger.warn('working process crashed', { pid, ...how, restarts, again_in_ms: milliseconds });
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
        logger.warn('what a crashed process held was not given free', {
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
