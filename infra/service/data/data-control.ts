import { z } from 'zod';
import { InvalidInput } from '../api/errors.ts';
import { uuidSchema } from '../api/parameters.ts';
import { lastDate, NOT_BORN } from '../api/times.ts';
import type { Connections } from '../connections/connections.ts';
import { providerSlugs } from '../connections/providers.ts';
import { ControlError, type ControlOperation } from '../control/control-server.ts';
import type { User, Users } from '../users/users.ts';
import { shallowStreamSchema, timeseriesOf, timeseriesResources, workoutStreamSchema } from './forms/sample-forms.ts';
import { summaryForms, summaryResources } from './forms/summary-forms.ts';

type Json = Readonly<Record<string, unknown>>;

interface Scripted {
  readonly resource: string;
  readonly data: Json;
  readonly stream?: Json;
}

/** Stores data with its events. Returns the dates within the user's bounds that had data. */
type Take = (user: User, provider: string, arrivals: readonly Scripted[], isHistorical: boolean) => readonly string[];

const forms: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ...summaryResources.map((resource) => [resource, summaryForms[resource]] as const),
  ...timeseriesResources.map(({ name, batchForm }) => [name, batchForm] as const),
  ['workout_stream', shallowStreamSchema],
]);

const bodySchema = z
  .strictObject({
    user_id: uuidSchema,
    provider: z.enum(providerSlugs),
    resource: z
      .enum([...forms.keys()])
      .describe('As in event types, such as `heartrate`. The error about another name lists all names.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('In the form of its event: a summary, or the samples of one source, or a shallow workout stream.')
      .transform((data) => withLowerCaseIds(data) as Json),
    stream: workoutStreamSchema.optional().describe('The stream itself. Only a workout stream has it.'),
    is_historical: z.boolean().default(false).describe('Whether a historical pull found the data.'),
  })
  .superRefine((body, context) => {
    for (const { path, message } of [...formProblems(body), ...contradictions(body)])
      context.addIssue({ code: 'custom', path, message });
  });

type Body = Readonly<Pick<z.output<typeof bodySchema>, 'user_id' | 'provider' | 'resource' | 'data' | 'stream'>>;

interface Problem {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** `POST /data`: gives a user data as if a connected provider had sent it. */
export function dataControlOperation(users: Users, connections: Connections, take: Take): ControlOperation {
  return {
    method: 'POST',
    path: '/data',
    summary: 'Pushes scripted data, as if a connected provider had sent it.',
    body: bodySchema,
    handle: (body) => {
      const { user_id, provider, resource, data, stream, is_historical } = body as z.output<typeof bodySchema>;
      const user = users.any(user_id);
      if (user === undefined) throw new ControlError(404, 'There is no such user.');
      if (connections.find(user_id, provider)?.error_type !== null)
        throw new ControlError(409, 'The user has no working connection to this provider.');
      const birthDate = resource === 'profile' ? data.birth_date : undefined;
      if (typeof birthDate === 'string' && birthDate > lastDate(users.now()))
        throw new InvalidInput(['body', 'data', 'birth_date'], NOT_BORN);
      const scripted = { resource, data, ...(stream === undefined ? {} : { stream }) };
      return { dates: take(user, provider, [scripted], is_historical) };
    },
  };
}

const idMembers = new Set(['id', 'user_id', 'workout_id', 'sleep_id', 'device_id', 'source_device_id']);

/** Returns data whose UUIDs have the letter case of the ids in requests. */
function withLowerCaseIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseIds);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    (idMembers.has(name) ? uuidSchema.safeParse(member).data : undefined) ?? withLowerCaseIds(member),
  ]);
  return Object.fromEntries(members);
}

/** Returns what is wrong with the data by the form of its resource. Data need not repeat the user. */
function formProblems({ user_id, resource, data }: Body): Problem[] {
  const whole = timeseriesOf(resource) === undefined ? { user_id, ...data } : data;
  const { error } = forms.get(resource)!.safeParse(whole);
  return (error?.issues ?? []).map(({ path, message }) => ({ path: ['data', ...withoutFoods(resource, path)], message }));
}

/** The names of foods are health data, so an error does not repeat them. */
function withoutFoods(resource: string, path: readonly PropertyKey[]): readonly PropertyKey[] {
  return resource === 'meal' && path[0] === 'data' && path.length > 1 ? ['data', '*', ...path.slice(2)] : path;
}

/** Returns the members of the data that contradict the rest of the request. */
function contradictions({ user_id, provider, resource, data, stream }: Body): Problem[] {
  const source = (data.source ?? {}) as Json;
  const repeated = [
    { path: ['data', 'user_id'], value: data.user_id, expected: user_id },
    { path: ['data', 'source', 'provider'], value: source.provider, expected: provider },
    { path: ['data', 'source', 'slug'], value: source.slug, expected: provider },
    { path: ['data', 'source_provider'], value: data.source_provider, expected: provider },
  ];
  const problems: Problem[] = repeated
    .filter(({ value, expected }) => value !== undefined && value !== expected)
    .map(({ path }) => ({ path, message: `differs from ${path.at(-1) === 'user_id' ? 'user_id' : 'provider'} of the request` }));
  if ((stream !== undefined) !== (resource === 'workout_stream'))
    problems.push({ path: ['stream'], message: 'a workout stream has it, and no other resource does' });
  return problems;
}
