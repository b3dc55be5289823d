import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from '../faults/command-line.ts';

/** The receipts, and the positions that the guides promise for them. */
const letters: readonly (readonly [source: string, partition: string, offset: number, position: string])[] = [
  ['azure', 'health-events/3', 41, 'azure/health-events/3/41'],
  ['kafka', 'health.events/0', 0, 'kafka/health.events/0/0'],
  ['people', '0', 12, 'people/0/12'],
  ['eu/azure', 'health-events/3', 41, 'eu%2Fazure/health-events/3/41'],
  ['eu', 'azure/health-events/3', 41, 'eu/azure/health-events/3/41'],
  ['-x', 'Praxis Süd\n50%/"a"', Number.MAX_SAFE_INTEGER - 1, '%2Dx/Praxis%20Süd%0A50%25/%22a%22/9007199254740990'],
  ['C:\\data', '//', 0, 'C:%5Cdata////0'],
  ['site/a', 'inbox', 7, 'site%2Fa/inbox/7'],
];
const bodyOf = (at: number): string => `{"event_type":"daily.data.activity.created","user_id":"u-${at}","data":{"steps":${at}}}`;

const received = ['--received-at', '2026-05-02T10:00:00Z'];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-positions-'));
  const lines = letters.map(([source, partition, offset], at) => {
    const receipt = { source, partition, offset, received_at: '2026-05-01T10:00:00Z' };
    return `${JSON.stringify(receipt).slice(0, -1)},"headers":{},"body":${bodyOf(at)}}\n`;
  });
  writeFileSync(join(folder, 'deliveries.jsonl'), lines.join(''));
  writeFileSync(join(folder, 'plain.json'), '{no JSON\n');
  const load = await aorta(folder, ['load', 'deliveries.jsonl', 'plain.json', ...received, '--data', 'my data']);
  expect(load).toMatchObject({ code: 0, out: expect.stringContaining(`${letters.length + 1} dead letters.`) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dlq = (...words: string[]) => aorta(folder, ['dlq', ...words, '--data', 'my data']);

test('`dlq list` prints a position for each dead letter, with which `dlq show --body` writes the original bytes', async () => {
  const { out } = await dlq('list', '--json');
  const positions = (JSON.parse(out) as { position: string }[]).map(({ position }) => position);
  const files = positions.filter((position) => position.startsWith('files/'));
  expect(files).toEqual([expect.stringMatching(/^files\/[0-9a-f]{16}\/0$/)]);
  expect(new Set(positions)).toEqual(new Set([...letters.map(([, , , position]) => position), ...files]));
  const list = await dlq('list');
  const shown = letters.map(async ([, , , position], at) => {
    expect(list.out).toContain(`\n${position} `);
    expect(await dlq('show', position, '--body')).toEqual({ code: 0, out: bodyOf(at), err: '' });
    expect((await dlq('show', position)).out).toContain(`position      ${position}\n`);
  });
  await Promise.all(shown);
  expect(await dlq('show', files[0]!, '--body')).toMatchObject({ code: 0, out: '{no JSON' });
});

test.each(['C:\\data////0', 'azure/health-events%2F3/41', 'azure/health%2devents/3/041'])(
  '`dlq show %s` finds a dead letter, although its position is printed with other escapes',
  async (typed) => {
    expect(await dlq('show', typed, '--body')).toMatchObject({ code: 0, err: '' });
  },
);

test('`dlq list` ends with a command that shows one of the dead letters', async () => {
  const { out } = await dlq('list');
  const [, position, rest] = /To see one of them: aorta dlq show (\S+)(.*)\n$/.exec(out)!;
  expect(rest).toBe(" --data 'my data'");
  expect((await dlq('show', position!)).code).toBe(0);
});

test('`tail` prints the same positions', async () => {
  const { out } = await aorta(folder, ['tail', '--once', '--json', '--data', 'my data']);
  const printed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).position);
  expect(new Set(printed)).toEqual(
    new Set([...letters.map(([, , , position]) => position), expect.stringMatching(/^files\/[0-9a-f]{16}\/0$/)]),
  );
});

describe('`dlq show` suggests a position', () => {
  test.each([
    ['with a wrong offset', 'azure/health-events/3/42', 'azure/health-events/3/41'],
    ['with a typing error', 'azur/health-events/3/41', 'azure/health-events/3/41'],
    ['with an unescaped slash in the source', 'site/a/inbox/7', 'site%2Fa/inbox/7'],
  ])('for one %s', async (_, typed, meant) => {
    const { code, out, err } = await dlq('show', typed, '--body');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`there is no dead letter ${typed}`);
    expect(err).toContain(`Did you mean ${meant}?`);
  });

  test('but none that has nothing in common with the text', async () => {
    const { code, err } = await dlq('show', 'entirely/different/7/123456');
    expect([code, err]).toEqual([2, expect.not.stringContaining('Did you mean')]);
    expect(err).toContain("`aorta dlq list --data 'my data'` prints the existing positions.");
  });

  test.each(['azure', 'health-events/41', 'azure/health-events/3/-1', 'azure/50%/3/1'])(
    '`dlq show %s` explains the notation',
    async (typed) => {
      const { code, err } = await dlq('show', typed);
      expect([code, err]).toEqual([2, expect.stringContaining(`${typed} is not a position`)]);
      expect(err).toContain('SOURCE/PARTITION/OFFSET');
    },
  );
});
