import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a simulated schema registry with four endpoints. It accepts every schema unless `answer` is changed. */
export async function startRegistry(): Promise<{
  readonly url: string;
  readonly subjects: Map<string, string[]>;
  /** Requests as `METHOD path`. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
  answer: 'as a registry' | 'incompatible' | 'error' | 'nonsense';
  close(): Promise<void>;
}> {
  const ids: string[] = [];
  const registry = {
    url: '',
    subjects: new Map<string, string[]>(),
    asked: [] as string[],
    authorizations: [] as (string | undefined)[],
    answer: 'as a registry' as 'as a registry' | 'incompatible' | 'error' | 'nonsense',
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    registry.asked.push(`${request.method} ${path}`);
    registry.authorizations.push(request.headers.authorization);
    let text = '';
    for await (const part of request) text += part;
    const say = (status: number, content: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(content));
    };
    if (registry.answer === 'error') return say(500, { message: 'planted' });
    if (registry.answer === 'nonsense') return say(200, { hello: 'planted' });
    const [, byId] = /^\/schemas\/ids\/(\d+)$/.exec(path) ?? [];
    if (byId !== undefined) {
      const schema = ids[Number(byId) - 1];
      return schema === undefined ? say(404, { error_code: 40403 }) : say(200, { schema });
    }
    const { schema } = JSON.parse(text) as { schema: string };
    const [, checked] = /^\/compatibility\/subjects\/(.+)\/versions\/latest$/.exec(path) ?? [];
    if (checked !== undefined) {
      if (!registry.subjects.has(checked)) return say(404, { error_code: 40401 });
      return say(200, { is_compatible: registry.answer !== 'incompatible' });
    }
    const [, subject] = /^\/subjects\/(.+)\/versions$/.exec(path) ?? [];
    if (subject === undefined) return say(405, {});
    if (!ids.includes(schema)) ids.push(schema);
    registry.subjects.set(subject, [...(registry.subjects.get(subject) ?? []), schema]);
    say(200, { id: ids.indexOf(schema) + 1 });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry;
}
