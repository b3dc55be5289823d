import { filesUnder, textOf } from './files.ts';
import { objectionsTo } from './objections.ts';
import { markdownOf } from './source-text.ts';

/**
 * `node test/prose/lint.ts [PATH…]`: checks the sentences of Markdown files, and of comments and test names in TypeScript files.
 * Without a path it checks the whole repository. Prints a line for each objection, and exits with 1 if there are objections.
 */

let count = 0;
for (const path of filesUnder(process.argv.slice(2))) {
  const text = path.endsWith('.ts') ? markdownOf(path, textOf(path)) : textOf(path);
  const found = await objectionsTo(text);
  for (const { line, ruleId, message } of found) process.stdout.write(`${path}:${line} ${ruleId}: ${message}\n`);
  count += found.length;
}
process.stdout.write(count === 0 ? 'Every sentence follows the prose rules.\n' : `${count} objections.\n`);
process.exitCode = count === 0 ? 0 : 1;
