import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_PYTHON } from '@aorta/machine';
import { afterEach, expect, test, vi } from 'vitest';
import { REQUIREMENTS } from '../emulator/python.ts';
import { CONTEXT, image, START } from './container-emulator.ts';

/** The tests read the Dockerfile instead of building it, because a build would need an image registry. */
const text = readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8');
const instructions = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
afterEach(() => vi.unstubAllEnvs());

test('the image has a supported Python version and exactly the packages that are pinned for the virtual environment', () => {
  const [from, ...others] = instructions;
  const version = /^FROM python:(\d+)\.(\d+)-slim$/.exec(from!)!.slice(1).map(Number);
  expect(version[0]).toBe(OLDEST_PYTHON[0]);
  expect(version[1]).toBeGreaterThanOrEqual(OLDEST_PYTHON[1]);
  expect(REQUIREMENTS).toBe(join(CONTEXT, 'requirements.txt'));
  expect(others.map((line) => line.split(' ')[0])).toEqual(['COPY', 'RUN', 'COPY']);
  expect(others[0]).toBe('COPY requirements.txt /emulator/');
  const [, installed] = /^RUN python -m pip install (.*)$/.exec(others[1]!)!;
  expect(installed!.split(' ').filter((word) => !word.startsWith('--'))).toEqual(['/emulator/requirements.txt']);
  expect(installed).toContain('--no-deps --requirement');
  expect(others[2]).toBe(`COPY start.py ${START.replace('start.py', '')}`);
});

test('every package is pinned', () => {
  const pins = readFileSync(REQUIREMENTS, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(pins.filter((line) => !/^[a-z0-9.-]+==[0-9a-z.]+$/.test(line))).toEqual([]);
  expect(pins).toEqual(expect.arrayContaining(['bqemulator==1.4.0', 'duckdb==2.0.0']));
});

test('the image’s name contains a hash of its sources, and AORTA_BIGQUERY_IMAGE can name a different image', () => {
  expect(image()).toMatch(/^aorta-bigquery:[0-9a-f]{12}$/);
  vi.stubEnv('AORTA_BIGQUERY_IMAGE', 'mirror.example/bigquery:1');
  expect(image()).toBe('mirror.example/bigquery:1');
});
