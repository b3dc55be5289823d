import type { EventContext } from 'rhea';
import type { Claims } from './claims.ts';
import { condition, entityNotFound } from './conditions.ts';
import { type Hubs, hubNamed } from './entity.ts';
import type { Policy } from './policy.ts';
import { type Answer, requestProperties } from './request-response.ts';
import { audiencePath, verifySas } from './sas.ts';

export const cbsAddress = '$cbs';

/** Answers a `put-token` request. If the token is valid, grants its claim to the client's connection. */
export function putToken(
  context: EventContext,
  { hubs, policy, claims }: { hubs: Hubs; policy: Policy; claims: Claims },
): Answer {
  const { operation, name, type } = requestProperties(context);
  if (operation !== 'put-token' || typeof name !== 'string')
    return {
      status: 400,
      refused: { condition: condition.argument, description: 'The request is not a put-token with a name.' },
    };
  if (type !== 'servicebus.windows.net:sastoken')
    return {
      status: 401,
      refused: { condition: condition.authFailed, description: 'This server accepts only shared access signatures.' },
    };
  const verified = verifySas(String(context.message!.body), name, policy, Date.now() / 1000);
  if ('refused' in verified) return { status: 401, refused: { condition: condition.authFailed, description: verified.refused } };
  const [hub = ''] = audiencePath(name).split('/');
  if (hubNamed(hubs, hub) === undefined) return { status: 404, refused: entityNotFound(name) };
  claims.put(context.connection, verified.claim);
  return { status: 202 };
}
