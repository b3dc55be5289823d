import type { Silence } from './report.ts';
import type { Turns } from './turns.ts';

/** Runs a case, and returns the silences that are too long. `alone` means that no other case runs at the same time. */
export type Play = (alone: boolean) => Promise<readonly Silence[]>;

/**
 * Runs a case. If it misses a goal, runs it again alone, because cases that run at the same time compete for CPU cores.
 * The printed table shows both measurements. Throws if the second run also misses a goal.
 */
export async function measured(turns: Turns, play: Play): Promise<void> {
  const missed = await turns.beside(() => play(false));
  if (missed.length === 0) return;
  process.stderr.write(`Goals missed, measured again alone:\n${missed.map(described).join('')}`);
  const again = await turns.alone(() => play(true));
  if (again.length > 0) throw new Error(`Goals missed again when the case ran alone:\n${again.map(described).join('')}`);
}

function described({ fault, partition, silentMs, lastedMs, goal }: Silence): string {
  const goalMs = goal.clockMs + goal.workMs;
  return `  ${fault}: partition ${partition} was silent for ${silentMs.toFixed()} ms, ${(silentMs - lastedMs).toFixed()} ms beyond the fault (goal ${goalMs.toFixed()} ms)\n`;
}
