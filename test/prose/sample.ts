import { createHash } from 'node:crypto';
import { filesUnder, textOf } from './files.ts';
import { commentsOf, testNamesOf } from './source-text.ts';

/**
 * `node test/prose/sample.ts SEED`: prints a sample of texts for the reading test in CONTRIBUTING: 60 comments, 10 paragraphs of
 * guides, 20 test names and 20 error or help texts. The seed decides which texts it prints. Each comment is followed by the next
 * four lines of code.
 */

interface Item {
  /** File and line. */
  readonly at: string;
  readonly text: string;
}

const CODE_LINES = 4;
const [seed] = process.argv.slice(2);
if (seed === undefined) {
  process.stderr.write('Usage: node test/prose/sample.ts SEED\n');
  process.exit(2);
}

/** Picks items by a hash of the seed and the item, so that the same seed picks the same items from the same texts. */
function pick(items: readonly Item[], count: number): Item[] {
  const rank = ({ at, text }: Item): string => createHash('sha256').update(`${seed}\n${at}\n${text}`).digest('hex');
  const distinct = [...new Map(items.map((item) => [item.text, item])).values()];
  const ranked = distinct.map((item) => ({ item, rank: rank(item) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, count).map(({ item }) => item);
}

function comments(path: string): Item[] {
  const source = textOf(path);
  const code = source.split('\n');
  return commentsOf(path, source).map(({ line, end }) => {
    return { at: `${path}:${line + 1}`, text: code.slice(line, end + CODE_LINES).join('\n') };
  });
}

/** Returns the test names of a file, each with the names of the suites that contain the test. */
function testNames(path: string): Item[] {
  return testNamesOf(path, textOf(path)).map(({ line, text, suites }) => {
    return { at: `${path}:${line + 1}`, text: [...suites, text].join(' › ') };
  });
}

/** Returns the paragraphs and list items of a guide, without code blocks, tables and headings. */
function paragraphs(path: string): Item[] {
  const text = textOf(path).replace(/^```.*?^```/gms, '');
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => /^[^|#]/.test(part))
    .map((part) => ({ at: path, text: part }));
}

/** Returns the texts of a reference page: the rows of its tables and, for commands and configuration, also the paragraphs. */
function printed(path: string): Item[] {
  const rows = textOf(path)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:-|code |option |field |exit code )/.test(line));
  return [...rows.map((text) => ({ at: path, text })), ...(path.endsWith('cli.md') ? paragraphs(path) : [])];
}

const files = filesUnder([]);
const sources = files.filter((path) => path.endsWith('.ts'));
const kinds = {
  comment: pick(sources.flatMap(comments), 60),
  paragraph: pick(files.filter((path) => /^(?:README\.md|docs\/(?:guides\/|runbook))/.test(path)).flatMap(paragraphs), 10),
  'test name': pick(sources.flatMap(testNames), 20),
  'printed text': pick(
    ['errors', 'cli', 'configuration'].flatMap((name) => printed(`docs/reference/${name}.md`)),
    20,
  ),
};
let number = 0;
for (const [kind, items] of Object.entries(kinds)) {
  for (const { at, text } of items) process.stdout.write(`## ${++number}. ${kind}, ${at}\n\n${text}\n\n`);
}
