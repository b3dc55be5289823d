import { appendFileSync } from 'node:fs';

/** How long partitions were silent through one fault, in milliseconds. */
export interface Silence {
  readonly fault: string;
  readonly seed: number;
  /** The longest of any partition. */
  readonly silentMs: number;
  /** For how long the fault itself lasted. */
  readonly lastedMs: number;
  /** What is allowed beyond that. */
  readonly beyondMs: number;
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

/** Whether partitions were silent for longer than they may be. */
export function isTooLong({ silentMs, lastedMs, beyondMs }: Silence): boolean {
  return silentMs > lastedMs + beyondMs;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

/** The longest silence by fault, as a table in Markdown. */
export function table(silences: readonly Silence[]): string[] {
  const rows = Map.groupBy(silences, ({ fault }) => fault)
    .entries()
    .map(([fault, of]) => {
      const worst = of.reduce((most, one) => (one.silentMs - one.lastedMs > most.silentMs - most.lastedMs ? one : most));
      const beyond = worst.silentMs - worst.lastedMs;
      const missed = of.filter(isTooLong).length;
      const verdict = missed === 0 ? 'met' : `**missed ${missed}**`;
      return `| ${fault} | ${of.length} | ${seconds(worst.silentMs)} | ${seconds(beyond)} | ${seconds(worst.beyondMs)} | ${verdict} |`;
    });
  return [
    '| fault | times | longest silence of any partition (s) | of it beyond the fault (s) | allowed beyond (s) | goal |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ];
}
