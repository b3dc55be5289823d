import { secretText } from '@aorta/runtime';
import { ProgramError } from '../errors.ts';

/**
 * Returns the parser of a secret that comes from an option or a variable. It follows the rule of secrets in the configuration.
 * Throws AORTA-USAGE, without the value.
 */
export function secretFrom(name: string): (text: string) => string {
  const hint = `Give ${name} without quotes inside it.`;
  return (text) => secretText(text, (problem) => new ProgramError('AORTA-USAGE', { problem: `${name}: ${problem}`, hint }));
}
