import type { Analyser } from './analyser.ts';

/** Starts the analyser; it ends with `close`, and with this process, however that ends. */
export async function startAnalyser(): Promise<Analyser> {
  throw new Error('not there yet');
}
