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
  await until('the operations', () => page.locator('.opblock').first().isVisible());
  expect((await shown(page, '.opblock')).sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
  const deprecated = operations.filter((operation) => operation.deprecated !== undefined);
  expect(deprecated.length).toBeGreaterThan(0);
  expect((await shown(page, '.opblock-deprecated')).sort()).toEqual(
    deprecated.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  const headings = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')));
  expect(headings.sort()).toEqual([...new Set(operations.map(({ tag }) => tag))].sort());

  const plain = await open(page, 'get_heartrate');
  expect(await plain.locator('.opblock-description').textContent()).toContain('GET /v2/timeseries/{user_id}/heartrate/grouped');
  expect(
    await plain.locator('tr[data-param-name]').evaluateAll((all) => all.map((one) => one.getAttribute('data-param-name'))),
  ).toEqual(['user_id', 'start_date', 'end_date', 'provider']);
  expect(await plain.locator('tr.response').evaluateAll((all) => all.map((one) => one.getAttribute('data-code')))).toEqual([
    ...['200', '401', '404', '422'],
  ]);
  expect(await plain.locator('tr.response[data-code="200"] .example').textContent()).toContain('"unit": "bpm"');

  expect(await plain.locator('tr[data-param-name=start_date] input').inputValue()).toBe('2026-01-01');

  // A reader can call the service from the page.
  await page.locator('button.authorize').click();
  await page.locator('.auth-container input').first().fill(teams.create('first').api_key);
  await page.locator('.auth-container button[type=submit]').first().click();
  await page.locator('.btn-done').first().click();
  const creation = await open(page, 'create_user');
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

/** Opens an operation, and returns its element. */
async function open(page: Page, id: string) {
  const block = page.locator(`.opblock[id$="-${id}"]`);
  await block.locator('.opblock-summary-control').click();
  await until(`the operation ${id}`, () => block.locator('.responses-wrapper').isVisible());
  return block;
}
