import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from './served-service.ts';

const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('both ports serve the same state, which a later process finds in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  try {
    const path = join(folder, 'service.sqlite');
    const served = await startService({ path, runs: false });
    const team = await post(`${served.controlUrl}/teams`, { name: 'first' });
    const key = { 'x-service-api-key': String(team.body.api_key) };
    const made = await post(`${served.url}/v2/user`, { client_user_id: 'c-1' }, key);
    expect(made.status).toBe(200);
    const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as { openapi: string };
    expect(document.openapi).toBe('3.1.0');
    // Control operations are not part of the API.
    expect((await post(`${served.url}/teams`, { name: 'second' }, key)).status).toBe(404);
    await served[Symbol.asyncDispose]();

    await using again = await startService({ path });
    const answer = await fetch(`${again.url}/v2/user/${made.body.user_id}`, { headers: key });
    expect(await answer.json()).toMatchObject({ client_user_id: 'c-1' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a taken port is refused with the code of the system, and nothing stays open', async () => {
  await using served = await startService();
  const port = Number(new URL(served.url).port);
  const controlPort = Number(new URL(served.controlUrl).port);
  await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await expect(startService({ controlPort })).rejects.toMatchObject({ code: 'EADDRINUSE', port: controlPort });
});
