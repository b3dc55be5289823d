import rhea, { type EventContext, type Sender } from 'rhea';
import type { AmqpCondition } from './conditions.ts';

const { types } = rhea;

/** A response from `$cbs` or `$management`: a success with an optional body, or an error with its condition. */
export type Answer =
  | { readonly status: 200 | 202; readonly body?: unknown }
  | { readonly status: 400 | 401 | 404 | 501; readonly refused: AmqpCondition };

export function requestProperties(context: EventContext): Record<string, unknown> {
  return context.message?.application_properties ?? {};
}

/**
 * Sends the response to a request on the link that the client opened to receive responses. This is the link in the same
 * session whose source address equals the target address of the request. The request's message id becomes the correlation id.
 * Does nothing if there is no such link.
 */
export function answer(context: EventContext, given: Answer): void {
  const { session, receiver, message } = context;
  const address = receiver!.target.address;
  const back = session!.find_sender((sender: Sender) => sender.source?.address === address);
  if (back === undefined) return;
  const refused = 'refused' in given ? given.refused : undefined;
  back.send({
    ...(message!.reply_to === undefined ? {} : { to: message!.reply_to }),
    ...(message!.message_id === undefined ? {} : { correlation_id: message!.message_id }),
    body: 'body' in given ? given.body : undefined,
    application_properties: {
      'status-code': types.wrap_int(given.status),
      'status-description': refused?.description ?? (given.status === 202 ? 'Accepted' : 'OK'),
      ...(refused === undefined ? {} : { 'error-condition': types.wrap_symbol(refused.condition) }),
    },
  });
}
