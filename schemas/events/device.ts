import { isObject } from './fields.ts';
import { type Reader, summaryReader } from './summary.ts';

const read = summaryReader('devices');

/**
 * Reads `provider.device.*` and the retired `daily.data.device.*`. In the retired form, an object holds the provider and
 * the kind of device. The reader copies both from that object and keeps the object in `extra`.
 */
export const readDevice: Reader<'devices'> = (eventType, body, receipt) => read(eventType, inCurrentForm(body), receipt);

function inCurrentForm(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.data)) return body;
  const { provider, source, source_type, ...rest } = body.data;
  const named = isObject(provider) ? provider : isObject(source) ? source : undefined;
  if (named === undefined) return body;
  const slug = isObject(provider) ? undefined : provider;
  const data = { ...rest, provider: slug ?? named.provider ?? named.slug, source_type: source_type ?? named.type, source: named };
  return { ...body, data };
}
