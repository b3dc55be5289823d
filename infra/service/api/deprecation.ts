import { changes } from '../versions/versions.ts';
import { MANAGEMENT_KEY_HEADERS } from './authentication.ts';
import type { DeprecatedPart, Operation } from './operation.ts';

/** The headers of answers of deprecated operations, with what they mean. */
export const deprecationHeaderMeanings = {
  deprecation: 'When the operation was deprecated (RFC 9745): `@` and the seconds since 1970.',
  sunset: 'From when the operation may be missing (RFC 8594).',
  link: 'Address of the operation that replaces this one (RFC 8288), with relation `successor-version`.',
} as const;

/** The months of these announcements are not known. Order sets came in September 2024, which stands for all of them. */
const ORDER_SETS_SINCE = '2024-09-01';

export const olderKeyHeaders: DeprecatedPart = {
  in: 'header',
  names: MANAGEMENT_KEY_HEADERS.slice(1),
  since: changes['X-Management-Key'],
  instead: '`x-management-key`',
};
export const singleLabTest: DeprecatedPart = {
  in: 'body',
  names: ['lab_test_id'],
  since: ORDER_SETS_SINCE,
  instead: '`order_set.lab_test_ids`',
};
export const requisitionUrl: DeprecatedPart = {
  in: 'answer',
  names: ['requisition_form_url'],
  since: ORDER_SETS_SINCE,
  instead: '`GET /v3/order/{order_id}/requisition/pdf`',
};
/** The service no longer sends this member. */
export const resultValue: DeprecatedPart = {
  in: 'answer',
  names: ['value'],
  since: ORDER_SETS_SINCE,
  instead: '`result`, read by `result_type`',
};

/** The facts of a request that decide which deprecations its answer announces. */
interface Exchange {
  /** The decoded path parameters of the request. */
  readonly params: object;
  readonly body: unknown;
  /** The header with the management key. */
  readonly keyHeader: string | undefined;
  /** Date of the interface, in milliseconds since 1970. */
  readonly date: number;
}

/** Returns the headers that announce deprecations: of the operation, of the parts that the request uses, and of parts of answers. */
export function deprecationHeaders({ deprecated, deprecatedParts = [] }: Operation, exchange: Exchange): Record<string, string> {
  const isPast = ({ since }: { readonly since: string }): boolean => exchange.date >= Date.parse(since);
  const parts = deprecatedParts.filter((part) => isPast(part) && isIn(exchange, part));
  const whole = deprecated !== undefined && isPast(deprecated) ? deprecated : undefined;
  const sinces = [...parts, ...(whole === undefined ? [] : [whole])].map(({ since }) => Date.parse(since));
  if (sinces.length === 0) return {};
  return {
    deprecation: `@${Math.min(...sinces) / 1000}`,
    ...(whole === undefined
      ? {}
      : {
          sunset: new Date(whole.until).toUTCString(),
          link: `<${addressOf(whole.instead, exchange.params)}>; rel="successor-version"`,
        }),
  };
}

function isIn({ body, keyHeader }: Exchange, part: DeprecatedPart): boolean {
  if (part.in === 'answer') return true;
  if (part.in === 'header') return keyHeader !== undefined && part.names.includes(keyHeader);
  return typeof body === 'object' && body !== null && part.names.some((name) => Object.hasOwn(body, name));
}

function addressOf(instead: string, params: object): string {
  const values = new Map<string, string>(Object.entries(params));
  return instead.split(' ')[1]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name)!));
}
