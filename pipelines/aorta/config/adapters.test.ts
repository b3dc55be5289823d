import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { streamsPlace } from './adapters.ts';
import { readSetting } from './configuration.ts';

test.each([
  ['', (folder: string) => join(folder, 'aorta-data', 'streams')],
  ['streams: { type: kafka, brokers: ["one:9092", "two:9092"], prefix: x. }', () => 'topics x.… of one:9092, two:9092'],
])('streamsPlace() returns the folder or the topics for the configuration "%s"', async (text, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'aorta-'));
  try {
    writeFileSync(join(folder, 'aorta.yaml'), text);
    expect(streamsPlace(readSetting({}, {}, folder))).toBe(expected(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
});
