import type { AortaError } from '@aorta/runtime';
import { ProgramError } from '../../errors.ts';

interface Refused {
  /** Method and path, such as `POST /teams`. */
  readonly request: string;
  readonly status: number;
  /** Parsed body of the answer. */
  readonly said: unknown;
  /** Part of the input that was sent, such as `object 3 of 5`; undefined if the input has one part. */
  readonly entry: string | undefined;
  readonly command: string;
}

interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Number of wrong members that an error lists. */
const SHOWN = 3;

/** Hints by a word of the answer: how to list or create the missing object. */
const absent: readonly (readonly [RegExp, string])[] = [
  [/\bteam has no pipeline\b/i, 'Set one with `aorta service pipeline set`.'],
  [/\bdemo connections\b/i, 'Use a different user: a user has either real or demo connections.'],
  [/\bworking connection\b/i, 'Connect the provider with `aorta service connect`.'],
  [/\bresource\b/i, 'Choose a resource that the provider has, as `aorta service pulls list` shows them.'],
  [/\bteam of this seed\b/i, 'Choose a different seed, or restore an earlier state with `aorta service restore`.'],
  [
    /\bcannot go from\b/i,
    'A completed order can only be corrected. A failed or cancelled order has no further status, and no order goes back to ordered.',
  ],
  [
    /\bsuch order\b/i,
    'Give the id of an order that `POST /v3/order` of the API has returned. `GET /v3/orders` lists the orders.',
  ],
  [/\borganization\b/i, '`aorta service organization list` lists the organizations.'],
  [/\bteam\b/i, '`aorta service team list` lists the teams.'],
  [/\bmessage\b/i, '`aorta service webhook deliveries` lists the messages of an endpoint.'],
  [/\bendpoint\b/i, '`aorta service webhook list` lists the endpoints.'],
  [/\brule\b/i, '`aorta service fault list` lists the rules.'],
  [/\bsnapshot\b/i, '`aorta service snapshot` without a name lists the snapshots.'],
  [/\buser\b/i, 'Give the user_id that the API or `aorta service seed` has returned.'],
];

/** Converts an answer that refuses a request into AORTA-CONTROL-REFUSED. */
export function refusalOf({ request, status, said, entry, command }: Refused): AortaError {
  const { detail } = (said ?? {}) as { readonly detail?: unknown };
  const problem = Array.isArray(detail) ? listed(detail as Detail[]) : String(detail ?? 'no reason').replace(/\.$/, '');
  const [, known] = (status === 422 ? undefined : absent.find(([words]) => words.test(problem))) ?? [];
  return new ProgramError('AORTA-CONTROL-REFUSED', {
    request,
    status,
    problem: entry === undefined ? problem : `${entry}: ${problem}`,
    hint: known ?? `Correct it. See ${command} --help.`,
  });
}

/** Returns the names of the first wrong members, each with what is wrong. */
function listed(details: readonly Detail[]): string {
  const shown = details.slice(0, SHOWN).map(({ loc, msg }) => {
    const member = loc.slice(1).join('.');
    return member === '' ? msg : `${member}: ${msg}`;
  });
  const rest = details.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
