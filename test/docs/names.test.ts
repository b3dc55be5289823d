import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../pipelines/aorta/catalogues.ts';
import { cliReference } from '../../pipelines/aorta/reference/cli.ts';
import { documents, proseOf, referencePages, root, textOf } from './documents.ts';

/** Checks that links have a target, and that the files, verbs, scripts and error codes in documents exist. */

const pages = [...documents(), ...referencePages()];

/** Returns the anchor that Markdown renderers generate for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** Returns the inline code of a document, without the backticks. */
const codesOf = (document: string): string[] => [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

test.each(pages)('%s: every link has a target', (document) => {
  const broken = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test.each(pages)('%s: every file that the document names exists', async (document) => {
  const named = [
    ...codesOf(document),
    ...textOf(document)
      .matchAll(/^npx vitest run .*$/gm)
      .map(([line]) => line),
  ]
    .flatMap((code) => code.split(' '))
    .filter((word) => /^(schemas|pipelines|connectors|infra|test|docs|\.ci)\/[\w./*{},-]*$/.test(word));
  expect(named.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});

test.each(pages)('%s: every verb, script and error code that the document names exists', async (document) => {
  const verbs = new Set([...(await cliReference()).matchAll(/^## `aorta (\w+)/gm)].map(([, verb]) => verb));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const text = textOf(document);
  const unknown = [
    ...codesOf(document)
      .map((code) => /^(?:npx )?aorta ([a-z]+)/.exec(code)?.[1])
      .filter((verb) => verb !== undefined && !verbs.has(verb)),
    ...[...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!).filter((name) => scripts[name] === undefined),
    ...[...text.matchAll(/\bAORTA(?:-[A-Z]+)+/g)].map(([code]) => code).filter((code) => !(code in errorCatalogue)),
  ];
  expect(unknown).toEqual([]);
});
