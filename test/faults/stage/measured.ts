import type { Silence } from './report.ts';
import type { Turns } from './turns.ts';

/** Plays a case; gives the silences that were longer than allowed. `alone` says that nothing else of ours runs meanwhile. */
export type Play = (alone: boolean) => Promise<readonly Silence[]>;

/**
 * Plays a case, and once more by itself if a goal was missed: several cases of a file run at the same time, and may take
 * the cores from each other. Both measurements are in the file's table. Rejects if a goal is missed in the second one, too.
 */
export async function measured(turns: Turns, play: Play): Promise<void> {
  const missed = await turns.beside(() => play(false));
  if (missed.length === 0) return;
  process.stderr.write(`Missed, and measured again alone:\n${missed.map(told).join('')}`);
  const again = await turns.alone(() => play(true));
  if (again.length > 0) throw new Error(`Goals that were missed again alone:\n${again.map(told).join('')}`);
}

function told({ fault, partition, silentMs, lastedMs, goal }: Silence): string {
  const goalMs = goal.clockMs + goal.workMs;
  return `  ${fault}: partition ${partition} was silent for ${silentMs.toFixed()} ms, ${(silentMs - lastedMs).toFixed()} ms beyond the fault (goal ${goalMs.toFixed()} ms)\n`;
}
