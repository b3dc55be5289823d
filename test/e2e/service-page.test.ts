import { startService } from '@aorta/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { launchBrowser, NO_BROWSER } from './browser.ts';

test('the page of the service shows every operation, and needs nothing from another host', async (context) => {
  await using browser = (await launchBrowser()) ?? context.skip(NO_BROWSER);
  await using served = await startService({ runs: false });
  const { operations, teams } = served.service;
  const page = await browser.newPage();
  // Clicks wait for as long as all other waits in tests. Playwright's default is 30 s.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));

  await page.goto(`${served.url}/docs`);
  const nameOf = ({ method, path }: (typeof operations)[number]): string => `${method} ${path}`;
  const found = await scrolled(page, operations.length);
  expect([...found.operations].sort()).toEqual(operations.map(nameOf).sort());
  const deprecated = operations.filter((operation) => operation.deprecated !== undefined);
  expect(deprecated.length).toBeGreaterThan(0);
  expect([...found.deprecated].sort()).toEqual(deprecated.map(nameOf).sort());
  expect([...found.headings].sort()).toEqual([...new Set(operations.map(({ tag }) => tag))].sort());

  const plain = await open(page, '/heartrate', 'get_heartrate');
  expect(await plain.locator('.opblock-description').textContent()).toContain('GET /v2/timeseries/{user_id}/heartrate/grouped');
  expect(
    await plain.locator('tr[data-param-name]').evaluateAll((all) => all.map((one) => one.getAttribute('data-param-name'))),
  ).toEqual(['user_id', 'start_date', 'end_date', 'provider']);
  expect(await plain.locator('tr.response').evaluateAll((all) => all.map((one) => one.getAttribute('data-code')))).toEqual([
    '200',
    '401',
    '404',
    '422',
    '429',
  ]);
  expect(await plain.locator('tr.response[data-code="200"] .example').textContent()).toContain('"unit": "bpm"');

  expect(await plain.locator('tr[data-param-name=start_date] input').inputValue()).toBe('2026-01-01');

  // A reader can call the service from the page.
  await page.locator('button.authorize').click();
  await page.locator('.auth-container input').first().fill(teams.create('first').api_key);
  await page.locator('.auth-container button[type=submit]').first().click();
  await page.locator('.btn-done').first().click();
  const creation = await open(page, '/v2/user', 'create_user');
  await creation.locator('button.execute').click();
  const answer = creation.locator('.live-responses-table .response');
  await until('the answer of the service', () => answer.isVisible());
  expect(await answer.locator('.response-col_status').textContent()).toBe('200');
  expect(await answer.locator('.response-col_description').textContent()).toContain('"client_user_id": "customer-17"');

  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual([served.url]);
});

/** Returns the method and path of the elements with a selector. */
function shown(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((blocks) =>
    blocks.map((block) => {
      const path = block.querySelector('[data-path]')?.getAttribute('data-path');
      return `${block.querySelector('.opblock-summary-method')?.textContent} ${path}`;
    }),
  );
}

/** Scrolls by half of the visible part, and from the end to the begin. It is a text, because the tests have no types of browsers. */
const SCROLL = 'scrollTo(0, scrollY + innerHeight < document.documentElement.scrollHeight - 1 ? scrollY + innerHeight / 2 : 0)';

/** Scrolls until the page has shown `count` operations. The page removes those that are far from the visible part. */
async function scrolled(page: Page, count: number) {
  const found = { operations: new Set<string>(), deprecated: new Set<string>(), headings: new Set<string>() };
  await until(`${count} operations`, async () => {
    for (const name of await shown(page, '.opblock')) found.operations.add(name);
    for (const name of await shown(page, '.opblock-deprecated')) found.deprecated.add(name);
    for (const tag of await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.getAttribute('data-tag'))))
      found.headings.add(tag!);
    await page.evaluate(SCROLL);
    return found.operations.size >= count;
  });
  return found;
}

/** Opens an operation, which it finds by a part of its path, and returns its element. */
async function open(page: Page, path: string, id: string) {
  await page.locator('.operation-filter-input').fill(path);
  const block = page.locator(`.opblock[id$="-${id}"]`);
  await block.locator('.opblock-summary-control').click();
  await until(`the operation ${id}`, () => block.locator('.responses-wrapper').isVisible());
  return block;
}
