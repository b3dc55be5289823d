import { expect, test } from 'vitest';
import { startService } from '../served-service.ts';

test('the document and its page need no key, and the browser may load from the service only', async () => {
  await using served = await startService({ runs: false });
  const document = await fetch(`${served.url}/openapi.json`);
  expect(await document.json()).toMatchObject({
    openapi: '3.1.0',
    paths: { '/v2/user': { post: { operationId: 'create_user' } } },
  });
  const page = await fetch(`${served.url}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'self';");
  expect(policy).not.toMatch(/https?:|\*/);
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) {
    expect(file).toMatch(/^\/docs\//);
    expect((await fetch(`${served.url}${file}`)).status, file).toBe(200);
  }
});
