import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellWord } from '@aorta/runtime/shell-word';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FilesCheckpoints } from './checkpoints.ts';
import { pathsMeant } from './path-words.ts';
import { type Expansion, expand } from './paths.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'paths-')));
});
afterEach(() => rm(folder, { recursive: true }));

const event = (value: number) => `${JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: { value } })}\n`;

/** Writes a file whose name has one byte for each character. */
async function put(name: string, content = event(1)): Promise<void> {
  const path = Buffer.from(join(folder, name), 'latin1');
  await mkdir(path.subarray(0, path.lastIndexOf('/')), { recursive: true });
  await writeFile(path, content);
}

/** Returns the paths of the files that are found, relative to the folder, and the errors. */
async function found(paths: readonly string[], expansion: Expansion = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const one of expand(await pathsMeant(paths, folder), { folder, ...expansion }))
    lines.push(one.kind === 'error' ? `${one.error.code} ${one.error.message}` : one.path);
  return lines.map((line) => line.replaceAll(folder, '…'));
}

async function read(options: Partial<FilesSourceOptions>): Promise<{ bodies: string[]; files: string[]; source: FilesSource }> {
  const source = new FilesSource({ paths: [folder], receivedAt: 42, ...options });
  const bodies: string[] = [];
  const files = new Set<string>();
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    bodies.push(...deliveries.map(({ body }) => `${body.toString()}\n`));
    for (const delivery of deliveries) files.add(delivery.found!.file);
    await source.commit([position]);
  }
  return { bodies, files: [...files], source };
}

// biome-ignore format: one kind a line
const oddNames = [
  'caf\xe9', 'caf\xe8', 'caf\xc3\xa9', 'caf\xef\xbf\xbd', '\xff\xfe',
  'a\nb', 'a\rb', 'a\tb', '\x1b]0;title\x07', 'a b', ' a', 'a ', 'a.',
  "it's", '"quoted"', '50%', '%41', '%zz', '#1', 'a?b', '-', '-rf', '--json',
  '[x]', '*', '{a,b}', '!', '~', '$HOME', '`id`', 'a\\b', '\\', 'C:', 'a:b', 'a;b',
  '\xf0\x9f\x98\x80', '__proto__', 'a'.repeat(255),
];

describe('names of files', () => {
  test('a file of any name is read once, and remembered under its own name', async () => {
    for (const [index, name] of oddNames.entries()) await put(name, event(index));
    const file = join(folder, '.state', 'files.json');
    const first = await read({ checkpoints: await FilesCheckpoints.open(file) });
    expect(first.source.errors).toEqual([]);
    expect(first.bodies.toSorted()).toEqual(oddNames.map((_, index) => event(index)).toSorted());
    expect(first.files).toHaveLength(oddNames.length);
    const second = await read({ checkpoints: await FilesCheckpoints.open(file) });
    expect(second.bodies).toEqual([]);

    await put('caf\xe8', event(1000));
    expect((await read({ checkpoints: await FilesCheckpoints.open(file) })).bodies).toEqual([event(1000)]);
  });

  test('a file named - in the working directory is not standard input', async () => {
    await put('-');
    expect(await found(['.'])).toEqual(['./-']);
  });

  test('a quoted name that is not UTF-8 has its own bytes', async () => {
    await put('caf\xe9');
    const [name = ''] = await found(['.']);
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`])).toEqual(Buffer.from('caf\xe9', 'latin1'));
  });

  test('a word of the command line finds a name that is not UTF-8, also within a path', async () => {
    await put('caf\xe9/th\xe9.ndjson');
    expect(await found(['caf\ufffd/th\ufffd.ndjson'])).toEqual(['caf\udce9/th\udce9.ndjson']);
    expect(await found([join(folder, 'caf\ufffd')])).toEqual(['…/caf\udce9/th\udce9.ndjson']);
  });

  test('a shell pattern that fits several names that are not UTF-8 finds each of them', async () => {
    await put('caf\xe9');
    await put('caf\xe8');
    expect(await found(['caf\ufffd', 'caf\ufffd'])).toEqual(['caf\udce8', 'caf\udce9']);
  });

  test('a word that fits no name, or too many, is an error that says so', async () => {
    await put('caf\xe9');
    await put('caf\xe8');
    expect(await found(['caf\ufffd', 'th\ufffd'])).toEqual([
      'AORTA-FILE-NAME caf\ufffd has bytes that are not UTF-8, which are shown as \ufffd, and 2 files or folders have such a name.',
      'AORTA-FILE-NAME th\ufffd has bytes that are not UTF-8, which are shown as \ufffd, and no file or folder has such a name.',
    ]);
  });
});

describe('links', () => {
  const outside = () => join(folder, 'outside');
  beforeEach(async () => {
    await put('in/a');
    await put('outside/secret');
  });
  const link = (target: string, name: string) => symlink(target, join(folder, name));

  test('a link in a folder that leads out of it is reported, and followed on demand', async () => {
    await link('../outside/secret', 'in/b');
    await link('../outside', 'in/c');
    await link('c2', 'in/d');
    await link(outside(), 'in/c2');
    const skipped = (name: string, target: string) =>
      `AORTA-FILE-LINK in/${name} was skipped: it is a link to …/${target}, which is outside of the folders to load.`;
    expect(await found(['in'])).toEqual([
      'in/a',
      skipped('b', 'outside/secret'),
      skipped('c', 'outside'),
      skipped('c2', 'outside'),
      skipped('d', 'outside'),
    ]);
    expect(await found(['in'], { followLinks: true })).toEqual(['in/a', 'in/b', 'in/c/secret', 'in/c2/secret', 'in/d/secret']);
  });

  test('a folder whose name begins with the name of the given one is outside of it', async () => {
    await put('in-2/x');
    await link('../in-2/x', 'in/b');
    expect((await found(['in']))[1]).toContain('AORTA-FILE-LINK');
  });

  test('a link that the caller names is followed, and so are links to what the caller names', async () => {
    await link('outside', 'l');
    await link('outside/secret', 'm');
    await link('../outside', 'in/b');
    expect(await found(['l', 'm'])).toEqual(['l/secret', 'm']);
    expect(await found(['in', 'outside'])).toEqual(['in/a', 'in/b/secret', 'outside/secret']);
  });

  test('links within a folder are followed, as in a mounted ConfigMap', async () => {
    await put('mount/..2026_05_04/events');
    await link('..2026_05_04', 'mount/..data');
    await link('..data/events', 'mount/events');
    await link('mount', 'l');
    expect(await found(['mount'])).toEqual(['mount/events']);
    expect(await found(['l'])).toEqual(['l/events']);
  });

  test('a link back to a parent folder ends the search, and a link to a folder above is outside', async () => {
    await link('.', 'in/b');
    await link('..', 'in/c');
    expect(await found(['in'])).toEqual([
      'in/a',
      'AORTA-FILE-LINK in/c was skipped: it is a link to …, which is outside of the folders to load.',
    ]);
    expect(await found(['in'], { followLinks: true })).toEqual(['in/a', 'in/c/outside/secret']);
  });

  test('the error of a link names its cause', async () => {
    await link('nothing', 'in/b');
    await link('c', 'in/c');
    await link('a/b', 'in/d');
    await link('nothing', 'l');
    const left = 'AORTA-FILE-LEFT-OUT';
    const unreadable = 'AORTA-FILE-UNREADABLE';
    expect(await found(['in', 'l', 'in/c', 'in/a/b', 'x'.repeat(256)])).toEqual([
      'in/a',
      `${left} in/b was skipped: it is a dangling link.`,
      `${unreadable} in/c cannot be read (ELOOP: links lead back to themselves).`,
      `${unreadable} in/d cannot be read (ENOTDIR: a part of the path is not a folder).`,
      'AORTA-FILE-NOT-FOUND The file or folder nothing, to which the link l leads, does not exist.',
      `${unreadable} in/c cannot be read (ELOOP: links lead back to themselves).`,
      `${unreadable} in/a/b cannot be read (ENOTDIR: a part of the path is not a folder).`,
      `${unreadable} ${'x'.repeat(256)} cannot be read (ENAMETOOLONG: a name in the path, or the whole path, is too long).`,
    ]);
  });
});
