import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { type Sentence, sentencesOf, wordsIn } from './sentences.ts';
import { type Unwanted, unwantedOpenings, unwantedWords } from './word-list.ts';

/** Maximum number of words in a sentence. */
export const LONGEST = 28;

/** An objection to a sentence. `at` is an offset into the sentence, in characters. */
interface Objection {
  readonly message: string;
  readonly at: number;
}

/** Returns a rule that checks every sentence of paragraphs, headings and table cells. */
function sentenceRule(objections: (sentence: Sentence) => readonly Objection[]): TextlintRuleModule {
  return ({ Syntax, report, RuleError, locator }) => {
    const check = (node: TxtNode): void => {
      for (const sentence of sentencesOf(node)) {
        for (const { message, at } of objections(sentence)) {
          const index = Math.max(0, sentence.index - node.range[0] + at);
          report(node, new RuleError(message, { padding: locator.at(Math.min(index, node.range[1] - node.range[0] - 1)) }));
        }
      }
    };
    return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check };
  };
}

const unwanted =
  (list: readonly Unwanted[]) =>
  ({ text }: Sentence): Objection[] =>
    list.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text);
      return found === null ? [] : [{ message: `"${found[0]}": write ${instead}`, at: 0 }];
    });

/** Our rules by name. `docs/glossary.md` and CONTRIBUTING describe them. */
export const rules: Readonly<Record<string, TextlintRuleModule>> = {
  'sentence-length': sentenceRule(({ text }) => {
    const words = wordsIn(text);
    return words <= LONGEST
      ? []
      : [{ message: `a sentence of ${words} words, ${LONGEST} at most: "${text.slice(0, 40)}…"`, at: 0 }];
  }),
  words: sentenceRule(unwanted(unwantedWords)),
  openings: sentenceRule(unwanted(unwantedOpenings)),
};
