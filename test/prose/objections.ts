import { createRequire } from 'node:module';
import { TextlintKernel, type TextlintPluginCreator } from '@textlint/kernel';
import { rules } from './rules.ts';

/** A rule's objection to a sentence. */
export interface Objection {
  /** One-based line of the sentence. */
  readonly line: number;
  readonly ruleId: string;
  readonly message: string;
}

// Node and Vitest import the default export of this CommonJS package differently. `require` works the same in both.
const markdown: TextlintPluginCreator = createRequire(import.meta.url)('@textlint/textlint-plugin-markdown').default;
const kernel = new TextlintKernel();
const options = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown }],
  rules: Object.entries(rules).map(([ruleId, rule]) => ({ ruleId, rule })),
};

/** Returns the objections to a Markdown text, in the order of its lines. */
export async function objectionsTo(text: string): Promise<readonly Objection[]> {
  return (await kernel.lintText(text, options)).messages;
}
