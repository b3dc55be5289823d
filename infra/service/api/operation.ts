import type { z } from 'zod';
import type { Team } from '../teams/teams.ts';
import type { Change } from '../versions/versions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  /** Value that JSON can hold, or the bytes of a PDF; undefined for an answer without a body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A form of answer: what it means, and its body. */
export interface AnswerForm {
  readonly description: string;
  /** Form of a JSON body, or of the bytes of a PDF. An answer without a form has no body. */
  readonly schema?: z.ZodType;
  /** Media type of the body. Default: application/json. */
  readonly type?: 'application/pdf';
  /** A body. Default: one that is derived from the schema. */
  readonly example?: unknown;
}

export interface Deprecation {
  /** Date (UTC) of the deprecation, such as 2025-06-01. */
  readonly since: string;
  /** Date (UTC) from which the operation may be missing. */
  readonly until: string;
  /** The operation that replaces this one, such as `GET /v3/lab_test`. Its path has no other parameters than this operation's. */
  readonly instead: string;
}

/** A deprecated part of an operation. No removal date is known for any of them. */
export interface DeprecatedPart {
  /** A header of the request, a member of its body, or a member of the answer. */
  readonly in: 'header' | 'body' | 'answer';
  /** Names of the headers or members. */
  readonly names: readonly string[];
  /** Date (UTC) of the deprecation. */
  readonly since: string;
  /** The replacement, in Markdown. */
  readonly instead: string;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The parts of a request after validation, and the team whose key it has. */
interface Call<Params, Query, Body, Headers> {
  readonly team: Team;
  readonly params: Parsed<Params>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly headers: Parsed<Headers>;
}

/** One method of one path: the server, the OpenAPI file and the tests all read it. */
export interface Operation<
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Headers extends z.ZodObject | undefined = z.ZodObject | undefined,
> {
  /** Name in the OpenAPI file, such as `get_user`. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces, such as `/v2/user/{user_id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body is multipart/form-data (see request-body.ts) of at most 10 MiB, instead of JSON of at most 1 MiB. */
  readonly multipart?: true;
  /** Headers beside the key. Their names are in lower case. */
  readonly headers?: Headers;
  readonly answers: Readonly<Record<number, AnswerForm>>;
  /** The change that added the operation. Before that date, it answers 404. Default: it always existed. */
  readonly since?: Change;
  /** Only teams that the control port has enabled may call it. */
  readonly isClosedBeta?: true;
  readonly deprecated?: Deprecation;
  readonly deprecatedParts?: readonly DeprecatedPart[];
  /**
   * Set for operations of the management API. They need a management key, not the key of a team. Management keys of teams cannot
   * use an operation on the organization.
   */
  readonly managed?: 'organization' | 'teams';
  handle(call: Call<Params, Query, Body, Headers>): Answer | Promise<Answer>;
}

/** Declares an operation. Its only purpose is that `handle` gets the types of the schemas. */
export function operation<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Headers extends z.ZodObject | undefined = undefined,
>(declared: Operation<Params, Query, Body, Headers>): Operation {
  return declared as unknown as Operation;
}

/** An answer as it is sent, with its body as text. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns an answer with a text or JSON. `contentType` replaces the usual media type of the body. */
export function sentAnswer(status: number, body: string | object, contentType?: string): SentAnswer {
  return typeof body === 'string'
    ? { status, headers: { 'content-type': contentType ?? 'text/plain; charset=utf-8' }, body }
    : { status, headers: { 'content-type': contentType ?? 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}
