import { visible } from '@aorta/runtime';
import { bytes, count, duration } from '@aorta/runtime/quantity';
import type { Output } from './terminal.ts';

/** Progress of a long task. `total` is undefined if it is unknown. */
export interface Advance {
  readonly done: number;
  readonly total?: number | undefined;
}

/** Shows progress as a bar on a terminal, and otherwise as occasional lines. Disposal removes the bar. */
export interface Progress extends Disposable {
  advance(state: Advance & { readonly note?: string }): void;
  end(): void;
}

export interface ProgressOptions {
  readonly label: string;
  readonly unit: 'bytes' | 'records';
  /** Milliseconds between lines if there is no terminal. If undefined, no lines are printed. */
  readonly lineEvery?: number | undefined;
  readonly now?: () => number;
}

/** Formats a progress line, at most `width` columns wide. `elapsed`: milliseconds since the task began. */
export function progressLine(
  { label, unit }: Pick<ProgressOptions, 'label' | 'unit'>,
  state: Advance & { readonly note?: string },
  elapsed: number,
  width: number,
): string {
  const show = unit === 'bytes' ? bytes : count;
  const rate = elapsed > 0 ? (state.done * 1000) / elapsed : 0;
  const parts = [state.total === undefined ? show(state.done) : `${show(state.done)} of ${show(state.total)}`];
  if (elapsed >= 500) parts.push(`${unit === 'bytes' ? bytes(Math.round(rate)) : count(Math.round(rate))}/s`);
  if (state.note !== undefined) parts.push(visible(state.note));
  if (state.total !== undefined && rate > 0 && elapsed >= 1000 && state.done < state.total)
    parts.push(`${duration(((state.total - state.done) / rate) * 1000)} left`);
  const words = `${label}  ${parts.join('  ')}`;
  if (state.total === undefined || state.total === 0) return words.slice(0, width);
  const room = Math.min(30, width - words.length - 2);
  if (room < 5) return words.slice(0, width);
  const filled = Math.max(0, Math.min(room, Math.round((state.done / state.total) * room)));
  return `${'█'.repeat(filled)}${'░'.repeat(room - filled)}  ${words}`;
}

export function progressOn(output: Output, options: ProgressOptions): Progress {
  const now = options.now ?? (() => performance.now());
  const began = now();
  let last = output.isTerminal ? Number.NEGATIVE_INFINITY : began;
  let drawn = false;
  const end = (): void => {
    if (drawn) void output.write('\r\u001b[K');
    drawn = false;
  };
  return {
    advance(state) {
      const time = now();
      const pause = output.isTerminal ? 100 : options.lineEvery;
      if (pause === undefined || time - last < pause) return;
      last = time;
      const line = progressLine(options, state, time - began, output.isTerminal ? (output.columns ?? 80) - 1 : 200);
      drawn = output.isTerminal;
      void output.write(output.isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
    },
    end,
    [Symbol.dispose]: end,
  };
}
