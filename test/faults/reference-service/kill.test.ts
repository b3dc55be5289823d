import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '@aorta/people';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '..', '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const DAY_S = 86_400;
const KILLS = 4;

type Json = Record<string, unknown>;
interface Event {
  readonly event_type: string;
  readonly data: Json;
}

/** An endpoint that keeps the bodies of webhooks by message id. */
async function endpoint(): Promise<{ readonly server: Server; readonly url: string; readonly events: Map<string, Event> }> {
  const events = new Map<string, Event>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    events.set(String(request.headers['svix-id']), JSON.parse(body) as Event);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, events };
}

/** Starts `aorta service` with its state in a folder. Later processes find other ports, but the same state. */
async function start(folder: string): Promise<{ readonly child: ChildProcess; readonly url: string; readonly control: string }> {
  const words = ['service', '--folder', 'state', '--port', '0', '--control-port', '0', '--stopped', '--json'];
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, control_url: control } = JSON.parse(line) as { url: string; control_url: string };
  return { child, url, control };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function call(url: string, body?: object, headers: Record<string, string> = {}): Promise<Json> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${url} ${answer.status}`).toBe(true);
  return (await answer.json()) as Json;
}

test.each([1, 2, 3, 4, 5])(
  'a service that is killed again and again loses no event and tells none twice (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
    const receiver = await endpoint();
    let running = await start(folder);
    try {
      const team = await call(`${running.control}/teams`, { name: 'first' });
      const headers = { 'x-service-api-key': String(team.api_key) };
      const { endpoint_id } = await call(`${running.control}/webhooks`, { team_id: team.team_id, url: receiver.url });
      const { user_id } = await call(`${running.url}/v2/user`, { client_user_id: 'c-1' }, headers);
      await call(`${running.url}/v2/link/connect/demo`, { user_id, provider: 'oura' }, headers);
      const end = Date.parse(String((await call(`${running.control}/clock`)).now)) + 4 * DAY_S * 1000;
      const left = async (): Promise<number> => (end - Date.parse(String((await call(`${running.control}/clock`)).now))) / 1000;
      for (let time = 0; time < KILLS; time += 1) {
        const advance = call(`${running.control}/clock/advance`, { seconds: await left() }).catch(() => undefined);
        await sleep(random.between(5, 400));
        await kill(running.child);
        await advance;
        running = await start(folder);
      }
      const rest = await left();
      if (rest > 0) await call(`${running.control}/clock/advance`, { seconds: rest });
      // Retries of attempts that a kill interrupted.
      await call(`${running.control}/clock/advance`, { seconds: DAY_S });

      const { deliveries } = (await call(`${running.control}/webhooks/${endpoint_id}/deliveries?limit=1000`)) as {
        deliveries: { message_id: string; state: string }[];
      };
      expect(deliveries.length).toBeGreaterThan(50);
      expect(deliveries.filter(({ state }) => state !== 'succeeded')).toEqual([]);
      expect([...receiver.events.keys()].sort()).toEqual(deliveries.map(({ message_id }) => message_id).sort());

      const events = [...receiver.events.values()];
      const created = events.filter(({ event_type, data }) => /^daily\..*\.created$/.test(event_type) && 'id' in data);
      const ids = created.map(({ event_type, data }) => `${event_type} ${data.id}`);
      expect(new Set(ids).size).toBe(ids.length);
      const samples = events
        .filter(({ event_type }) => event_type === 'daily.data.heartrate.created')
        .flatMap(({ data }) => (data.data as { timestamp: string }[]).map(({ timestamp }) => timestamp));
      expect(samples.length).toBeGreaterThan(500);
      expect(new Set(samples).size).toBe(samples.length);
      const completed = events.filter(({ event_type }) => event_type.startsWith('historical.'));
      const { data: introspected } = (await fetch(`${running.url}/v2/introspect/historical_pull`, { headers }).then((answer) =>
        answer.json(),
      )) as { data: { provider: { oura: { pulled: Record<string, { status: string }> } } }[] };
      const pulled = introspected[0]!.provider.oura.pulled;
      expect(Object.values(pulled).map(({ status }) => status)).toEqual(Object.keys(pulled).map(() => 'success'));
      expect(completed.map(({ event_type }) => event_type).sort()).toEqual(
        Object.keys(pulled)
          .map((resource) => `historical.data.${resource}.created`)
          .sort(),
      );
    } finally {
      await kill(running.child);
      receiver.server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
