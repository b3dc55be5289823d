// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand } from './document.ts';

describe('expand()', () => {
  it.each([
    ['${A}', 'one'],
    ['x-${A}-${B}', 'x-one-two'],
    ['${C:-three}', 'three'],
    ['${A:-three}', 'one'],
    ['${EMPTY:-filled}', 'filled'],
    ['${EMPTY}', ''],
    ['${C:-}', ''],
    ['${C:-a:-b}', 'a:-b'],
    ['$$', '$'],
    ['$${A}', '${A}'],
    ['$$${A}', '$one'],
    ['5 $ and $A', '5 $ and $A'],
  ])('%s becomes %s', (text, expected) => {
    const { text: filled, missing, malformed } = expand(text, { A: 'one', B: 'two', EMPTY: '' });
    expect({ filled, missing, malformed }).toEqual({ filled: expected, missing: [], malformed: [] });
  });

  it('returns the unset and the malformed variables', () => {
    expect(expand('${A} ${B}', {})).toMatchObject({ missing: ['A', 'B'] });
    expect(expand('${1A} ${A B} ${', {})).toMatchObject({ missing: [], malformed: ['${1A}', '${A B}', '${'] });
  });

  it('does not expand a variable inside the value of another variable', () => {
    expect(expand('${A}', { A: '${B} $$', B: 'no' }).text).toBe('${B} $$');
  });

  it('leaves a string without dollar signs unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('$')),
        (text) => expand(text, {}).text === text && !expand(text, {}).changed,
      ),
    );
  });

  it('restores any string whose dollar signs were doubled', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-') }),
        (text) => expand(text.replaceAll('$', '$$$$'), {}).text === text,
      ),
    );
  });
});
