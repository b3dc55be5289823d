import { MissedTime } from '../../infra/machine/goal.fixture.ts';
import type { Failure, Results } from './results.ts';

/** A goal in seconds that a test missed while other tests ran, and what happened when the test ran again alone. */
export interface Missed {
  readonly test: string;
  readonly message: string;
  readonly metAlone: boolean;
}

const isMissedTime = ({ messages }: Failure): boolean =>
  messages.length > 0 && messages.every((message) => message.startsWith(`${MissedTime.name}: `));

/**
 * Measures the tests that missed a goal in seconds again: runs each of their files alone, once. Tests that meet their goals then
 * count as passed. A file in which a test failed for any other reason is not run again.
 */
export function measureAgain(results: Results, runAlone: (files: readonly string[]) => Results): readonly Missed[] {
  const found: Missed[] = [];
  for (const [file, failures] of Map.groupBy(results.failures, (failure) => failure.file)) {
    if (file === undefined || !failures.every(isMissedTime)) continue;
    const again = runAlone([file]);
    const metAlone = again.failures.length === 0;
    for (const { name, messages } of failures)
      found.push({ test: `${file} > ${name}`, message: messages[0]!.split('\n')[0]!, metAlone });
    results.failures = [...results.failures.filter((failure) => failure.file !== file), ...again.failures];
    if (metAlone) results.passed += failures.length;
  }
  return found;
}
