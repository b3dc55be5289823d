import { appendFileSync } from 'node:fs';
import { slowness } from './bystander.ts';
import type { Goal } from './goal.ts';
import { Turns } from './turns.ts';

/** The longest silence of a partition during one fault. Times are in milliseconds. */
export interface Silence {
  readonly fault: string;
  readonly seed: number;
  /** The partition that was silent for the longest time. */
  readonly partition: string;
  readonly silentMs: number;
  /** Duration of the fault itself. */
  readonly lastedMs: number;
  /** How long the silence may last beyond the duration of the fault. */
  readonly goal: Goal;
  /** Milliseconds of the silent time in which a separate process on this machine made no progress either. */
  readonly stalledMs: number;
  /** How many times slower this machine was than the reference machine. */
  slowness: number;
  /** Whether this is the second measurement, in which no other case ran. */
  readonly alone: boolean;
}

/** The result of a case. */
export interface Judged {
  readonly seed: number;
  readonly events: number;
  /** Number of receipts that more than one machine stored. The tables contain each of them only once. */
  readonly twice: number;
}

/**
 * Collects the results of the cases in a test file. If the environment variable AORTA_SILENCES is set to a path, appends the
 * silences to that file, which the soak test reads.
 */
export class Silences {
  readonly #silences: Silence[] = [];
  readonly #judged: Judged[] = [];
  #slowness: Promise<number> | undefined;
  /** Decides which cases of the file run at the same time. */
  readonly turns = new Turns();

  /** Returns how many times slower this machine is than the reference machine. This is measured once, before the first case. */
  slowness(): Promise<number> {
    this.#slowness ??= slowness();
    return this.#slowness;
  }

  note(silence: Silence): void {
    this.#silences.push(silence);
    const file = process.env.AORTA_SILENCES;
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(silence)}\n`);
  }

  judged(judged: Judged): void {
    this.#judged.push(judged);
  }

  print(): void {
    const sum = (of: (judged: Judged) => number) => this.#judged.reduce((total, judged) => total + of(judged), 0);
    process.stdout.write(
      `${[
        ...table(this.#silences),
        `${sum(({ events }) => events)} events in the tables, each once; ${sum(({ twice }) => twice)} were read by two machines.`,
        '',
      ].join('\n')}\n`,
    );
  }
}

/** Returns how long a silence may last on this machine beyond the duration of the fault, in milliseconds. */
function allowedMs({ goal, stalledMs, slowness }: Silence): number {
  return goal.clockMs + goal.workMs * slowness + stalledMs;
}

/** Whether a partition was silent for longer than allowed. */
export function isTooLong(silence: Silence): boolean {
  return silence.silentMs > silence.lastedMs + allowedMs(silence);
}

/** Whether the goal counts as missed. A silence that is too long counts only in the second measurement. */
export function isMissed(silence: Silence): boolean {
  return silence.alone && isTooLong(silence);
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

/** Returns a Markdown table with the longest silence of each fault, and a line about the speed of the machine. */
export function table(silences: readonly Silence[]): string[] {
  const rows = Map.groupBy(silences, ({ fault, alone }) => (alone ? `${fault}, again alone` : fault))
    .entries()
    .map(([fault, of]) => {
      const margin = (one: Silence): number => one.lastedMs + allowedMs(one) - one.silentMs;
      const worst = of.reduce((least, one) => (margin(one) < margin(least) ? one : least));
      const missed = of.filter(isTooLong).length;
      return `| ${[
        fault,
        of.length,
        seconds(worst.silentMs),
        seconds(worst.silentMs - worst.lastedMs),
        seconds(worst.goal.clockMs + worst.goal.workMs),
        seconds(allowedMs(worst)),
        missed === 0 ? 'met' : `**missed ${missed}**`,
      ].join(' | ')} |`;
    });
  const slowest = Math.max(1, ...silences.map((silence) => silence.slowness));
  const stalled = Math.max(0, ...silences.map(({ stalledMs }) => stalledMs));
  return [
    '| fault | times | longest silence of any partition (s) | of it beyond the fault (s) | goal (s) | allowed here (s) | verdict |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `A process without our code started ${slowest.toFixed(2)} × as slowly as on the reference machine. During one silence, a bystander process made no progress for at most ${seconds(stalled)} s.`,
  ];
}
