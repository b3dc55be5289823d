import { bareSecret, isQuoted, QUOTES_AROUND } from '@aorta/runtime';
import { ProgramError } from '../errors.ts';

/**
 * Returns the parser of a secret that comes from an option or a variable. It follows the rule of secrets in the configuration.
 * Throws AORTA-USAGE, without the value.
 */
export function secretFrom(name: string): (text: string) => string {
  return (text) => {
    const secret = bareSecret(text);
    if (!isQuoted(secret)) return secret;
    throw new ProgramError('AORTA-USAGE', {
      problem: `${name}: ${QUOTES_AROUND}`,
      hint: `Give ${name} without quotes inside it.`,
    });
  };
}
