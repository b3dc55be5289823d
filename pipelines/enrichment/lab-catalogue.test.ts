import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceClient } from '@aorta/connectors/service';
import { silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLabCatalogue } from './lab-catalogue.ts';
import { stateInFile } from './state/state-in-file.fixture.ts';
import { eventCollector } from './workers/event-collector.fixture.ts';
import { doJob } from './workers/job.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Page = { readonly ids: readonly number[]; readonly odd?: number; readonly total?: number };

/** Runs the job once against simulated pages. Returns the number of events, the number of requested pages, and the problems. */
async function look(pageOf: (page: number) => Page): Promise<{ events: number; asked: number; problems: string[] }> {
  let asked = 0;
  const problems: string[] = [];
  const answer = <T>(value: T) => ({ value, body: Buffer.alloc(0), servedAt: 1_000_000 });
  const client = {
    markers: async ({ page }: { page: number }) => {
      if (++asked > 50) throw new Error('the job requests pages forever');
      const { ids, odd = 0, total } = pageOf(page);
      const unidentified = Array.from({ length: odd }, () => ({ name: 'nameless' }));
      return answer({ items: ids.map((id) => ({ id })), unidentified, misshapen: odd, total });
    },
    labTests: async () => answer({ items: [{ id: 'test' }], unidentified: [], misshapen: 0, next: undefined }),
  } as unknown as ServiceClient;
  const { events, openEmitter } = eventCollector();
  const open = () =>
    openLabCatalogue({
      client,
      state: stateInFile(folder),
      openEmitter,
      everyMs: 60_000,
      restsFirst: false,
      logger: silentLogger,
      onProblem: ({ code }) => void problems.push(code),
    });
  await doJob({ name: 'labs', open, assignments: undefined, once: true }, new AbortController().signal);
  return { events: events.length, asked, problems };
}

test('the job requests pages until the total is reached or a page is empty, and emits only changed entries', async () => {
  const pages: readonly Page[] = [{ ids: [1, 2] }, { ids: [3] }, { ids: [] }];
  const of = (total: number | undefined) => (page: number) => ({
    ...pages[page - 1]!,
    ...(total === undefined ? {} : { total }),
  });
  expect(await look(of(3))).toEqual({ events: 4, asked: 2, problems: [] });
  expect(await look(of(undefined))).toEqual({ events: 0, asked: 3, problems: [] });
});

test('if the service ignores the page number, the job stops and emits each element only once', async () => {
  const circle = () => ({ ids: [1, 2] });
  expect(await look(circle)).toEqual({ events: 2, asked: 2, problems: ['AORTA-SERVICE-CURSOR'] });
  expect(await look(circle)).toEqual({ events: 0, asked: 2, problems: ['AORTA-SERVICE-CURSOR'] });
});

test('the job emits elements without a valid id only once, and a page with only such elements is the last', async () => {
  expect(await look(() => ({ ids: [], odd: 2 }))).toEqual({ events: 3, asked: 1, problems: [] });
  expect(await look(() => ({ ids: [], odd: 2 }))).toEqual({ events: 0, asked: 1, problems: [] });
});
