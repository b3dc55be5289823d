import { MissedTime } from '../../infra/machine/goal.fixture.ts';
import { type Failure, type Results, titleOf } from './results.ts';

/** A goal in seconds that a test missed while other tests ran, and what happened when the test ran again alone. */
export interface Missed {
  readonly test: string;
  readonly message: string;
  readonly metAlone: boolean;
}

const isMissedTime = ({ messages }: Failure): boolean =>
  messages.length > 0 && messages.every((message) => message.startsWith(`${MissedTime.name}: `));

/**
 * Runs each file whose only failures are missed goals in seconds again: once, and alone. Tests that then meet their goals count as
 * passed.
 */
export function measureAgain(results: Results, runAlone: (files: readonly string[]) => Results): readonly Missed[] {
  const found: Missed[] = [];
  for (const [file, failures] of Map.groupBy(results.failures, (failure) => failure.file)) {
    if (file === undefined || !failures.every(isMissedTime)) continue;
    const again = runAlone([file]);
    const metAlone = again.failures.length === 0;
    for (const failure of failures)
      found.push({ test: titleOf(failure), message: failure.messages[0]!.split('\n')[0]!, metAlone });
    results.failures = [...results.failures.filter((failure) => failure.file !== file), ...again.failures];
    if (metAlone) results.passed += failures.length;
  }
  return found;
}
