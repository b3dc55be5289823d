import { ProgramError } from '../errors.ts';

/** Returns a parser for an option whose value must be a whole number from `least` to `most`. */
export function wholeNumber(option: string, least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new ProgramError('AORTA-USAGE', { problem: `${option} needs a whole number`, hint: `Give ${upTo}.` });
  };
}
