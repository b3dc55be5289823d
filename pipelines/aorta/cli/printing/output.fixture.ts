import type { Output } from './terminal.ts';

/** An output that is not a terminal, and that keeps its text. */
export function keptOutput(): Output & { text: string } {
  return {
    text: '',
    isTerminal: false,
    columns: undefined,
    colors: false,
    async write(text) {
      this.text += String(text);
    },
  };
}
