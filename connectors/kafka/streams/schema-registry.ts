import { z } from 'zod';
import { TopicError } from './errors.ts';

/** A client for a schema registry with Confluent's REST API. */
export interface SchemaRegistry {
  /**
   * Returns the id of a schema under a subject and registers the schema if necessary. Rejects with AORTA-STREAM-REGISTRY if a
   * request fails, or with AORTA-STREAM-INCOMPATIBLE if the subject's compatibility rule forbids the schema.
   */
  register(subject: string, schema: string): Promise<number>;
  /** Returns the schema with this id; undefined if the registry has none. Rejects with AORTA-STREAM-REGISTRY if the request fails. */
  schema(id: number): Promise<string | undefined>;
}

export interface RegistryAddress {
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

const ANSWER_MS = 10_000;
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';
const registered = z.object({ id: z.int().min(0).max(0xffffffff) });
const kept = z.object({ schema: z.string(), schemaType: z.string().optional() });
const compatible = z.object({ is_compatible: z.boolean() });

export function openRegistry({ url, user, password }: RegistryAddress): SchemaRegistry {
  const authorization = user === undefined ? {} : { authorization: `Basic ${btoa(`${user}:${password ?? ''}`)}` };
  const base = url.endsWith('/') ? url : `${url}/`;
  const host = new URL(url).host;

  /** Sends a request. Returns undefined for status 404. Drops the registry's own error messages. */
  const ask = async (path: string, body?: object): Promise<{ status: number; content: unknown } | undefined> => {
    let answer: Response;
    try {
      answer = await fetch(new URL(path, base), {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: CONTENT_TYPE, 'content-type': CONTENT_TYPE, ...authorization },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_MS),
        redirect: 'error',
      });
    } catch (error) {
      const reason = error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : 'no connection';
      throw new TopicError('AORTA-STREAM-REGISTRY', { host, reason });
    }
    const content: unknown = await answer.json().catch(() => undefined);
    if (answer.status === 404) return undefined;
    if (answer.status >= 300 && answer.status !== 409)
      throw new TopicError('AORTA-STREAM-REGISTRY', { host, reason: `status ${answer.status}` });
    return { status: answer.status, content };
  };
  const understood = <T>(shape: z.ZodType<T>, content: unknown): T => {
    const parsed = shape.safeParse(content);
    if (!parsed.success)
      throw new TopicError('AORTA-STREAM-REGISTRY', { host, reason: 'the answer is not that of a schema registry' });
    return parsed.data;
  };

  return {
    register: async (subject, schema) => {
      const name = encodeURIComponent(subject);
      const check = await ask(`compatibility/subjects/${name}/versions/latest`, { schema });
      // A subject without versions accepts any schema.
      if (check !== undefined && !understood(compatible, check.content).is_compatible)
        throw new TopicError('AORTA-STREAM-INCOMPATIBLE', { host, subject });
      const answer = await ask(`subjects/${name}/versions`, { schema });
      if (answer === undefined) throw new TopicError('AORTA-STREAM-REGISTRY', { host, reason: 'status 404' });
      if (answer.status === 409) throw new TopicError('AORTA-STREAM-INCOMPATIBLE', { host, subject });
      return understood(registered, answer.content).id;
    },
    schema: async (id) => {
      const answer = await ask(`schemas/ids/${id}`);
      if (answer === undefined) return undefined;
      const { schema, schemaType = 'AVRO' } = understood(kept, answer.content);
      return schemaType === 'AVRO' ? schema : undefined;
    },
  };
}
