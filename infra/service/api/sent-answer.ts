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
