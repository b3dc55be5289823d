import { appendFileSync } from 'node:fs';
import { slowness } from './bystander.ts';
import type { Goal } from './goal.ts';
import { Turns } from './turns.ts';

/** How long partitions were silent through one fault, in milliseconds. */
export interface Silence {
  readonly fault: string;
  readonly seed: number;
  /** The one that was silent for longest. */
  readonly partition: string;
  /** For how long. */
  readonly silentMs: number;
  /** For how long the fault itself lasted. */
  readonly lastedMs: number;
  /** What is allowed beyond that. */
  readonly goal: Goal;
  /** For how long of it the machine gave nothing to a process that asked for next to nothing. */
  readonly stalledMs: number;
  /** How many times slower the machine was than the one of the goals. */
  slowness: number;
  /** It was measured again, with nothing of ours running beside it. */
  readonly alone: boolean;
}

/** What a whole case came to. */
export interface Judged {
  readonly seed: number;
  readonly events: number;
  /** Receipts that more than one machine took, which the tables hold once. */
  readonly twice: number;
}

/** Keeps what the cases of a file say; the soak reads it from the file that AORTA_SILENCES names. */
export class Silences {
  readonly #silences: Silence[] = [];
  readonly #judged: Judged[] = [];
  #slowness: Promise<number> | undefined;
  /** Who of the file's cases runs beside whom. */
  readonly turns = new Turns();

  /** How many times slower this machine is than the one of the goals: measured once, before anything else runs. */
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

  /** The table that is printed when the file is through. */
  print(): void {
    const sum = (of: (judged: Judged) => number) => this.#judged.reduce((total, judged) => total + of(judged), 0);
    process.stdout.write(
      `${[
        ...table(this.#silences),
        `${sum(({ events }) => events)} events in the tables, each once; ${sum(({ twice }) => twice)} were taken by two machines.`,
        '',
      ].join('\n')}\n`,
    );
  }
}

/** What is allowed beyond the fault on the machine as it was. */
function allowedMs({ goal, stalledMs, slowness }: Silence): number {
  return goal.clockMs + goal.workMs * slowness + stalledMs;
}

/** Whether partitions were silent for longer than they may be. */
export function isTooLong(silence: Silence): boolean {
  return silence.silentMs > silence.lastedMs + allowedMs(silence);
}

/** Whether the goal counts as missed: the machine has nothing else of ours to do in the second measurement. */
export function isMissed(silence: Silence): boolean {
  return silence.alone && isTooLong(silence);
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

/** The longest silence by fault, as a table in Markdown, and what the machine was worth meanwhile. */
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
    `The machine started a process that has none of our code ${slowest.toFixed(2)} × as slowly as the one of the goals, and gave a bystander nothing at all for ${seconds(stalled)} s of one silence at most.`,
  ];
}
