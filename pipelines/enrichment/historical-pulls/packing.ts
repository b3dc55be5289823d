import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Evidence } from '@aorta/schemas';

/** What is heard of the connection of a user to a provider, and of each resource. */
export interface ProviderEvidence {
  /** Of the connection: holds for all resources. */
  readonly connection: Evidence[];
  readonly resources: Map<string, Evidence[]>;
}

/** Everything that is known of the pulls of a user. */
export interface UserEvidence {
  /** Evidence time of the last answer: those of one user go up, whatever clocks do. */
  lastAnswer: number;
  /** The latest times at which an answer was asked for, and given: what is later by neither was heard already. */
  lastAsked: number;
  lastServed: number;
  readonly providers: Map<string, ProviderEvidence>;
}

const NEVER = Number.NEGATIVE_INFINITY;

export const nothingHeard = (): UserEvidence => ({
  lastAnswer: NEVER,
  lastAsked: NEVER,
  lastServed: NEVER,
  providers: new Map(),
});

const kinds = [
  'connected',
  'connection_error',
  'expected',
  'unavailable',
  'not_pulled',
  'completed',
  'completed_partly',
  'told',
] as const satisfies readonly Evidence['kind'][];

type Packed = readonly [kind: number, at: number, ...rest: (string | number | null)[]];

function pack(evidence: Evidence): Packed {
  const kind = kinds.indexOf(evidence.kind);
  switch (evidence.kind) {
    case 'completed':
    case 'completed_partly':
      return [kind, evidence.at, evidence.rangeStart, evidence.rangeEnd];
    case 'told': {
      const { at, status, scheduledAt, rangeStart, rangeEnd, startedAt, endedAt, daysWithData, errorDetails } = evidence;
      const trace = evidence.traceId == null ? [] : [evidence.traceId];
      return [kind, at, rangeStart, rangeEnd, scheduledAt, startedAt, endedAt, daysWithData, status, errorDetails, ...trace];
    }
    default:
      return [kind, evidence.at];
  }
}

function unpack([index, at, ...rest]: Packed): Evidence {
  const kind = kinds[index]!;
  const [rangeStart, rangeEnd, scheduledAt, startedAt, endedAt, daysWithData] = rest as (number | null)[];
  if (kind === 'told') {
    const [status, errorDetails, traceId] = rest.slice(6) as [string, string | null, string?];
    return {
      kind,
      at,
      status,
      scheduledAt: scheduledAt!,
      rangeStart: rangeStart!,
      rangeEnd: rangeEnd!,
      startedAt: startedAt!,
      endedAt: endedAt!,
      daysWithData: daysWithData!,
      errorDetails,
      ...(traceId === undefined ? {} : { traceId }),
    };
  }
  if (kind === 'completed' || kind === 'completed_partly') return { kind, at, rangeStart: rangeStart!, rangeEnd: rangeEnd! };
  return { kind, at };
}

/**
 * A user's evidence as few bytes: there may be a hundred thousand users, with dozens of resources each, of whom few have
 * news at a time. The times of a user's resources are much alike, so that it shrinks to about a tenth.
 */
export function packUser({ lastAnswer, lastAsked, lastServed, providers }: UserEvidence): Buffer {
  const all = [...providers].map(([provider, { connection, resources }]) => [
    provider,
    connection.map(pack),
    [...resources].map(([resource, evidence]) => [resource, evidence.map(pack)]),
  ]);
  // What never was is no number, which JSON writes as null.
  const packed = deflateRawSync(JSON.stringify([lastAnswer, all, lastAsked, lastServed]), { level: 1 });
  // What zlib gives is a view of its sixteen kilobytes of output, and would hold them all.
  const own = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(own);
  return own;
}

export function unpackUser(bytes: Buffer): UserEvidence {
  const [lastAnswer, all, lastAsked, lastServed] = JSON.parse(inflateRawSync(bytes).toString('utf8')) as [
    number | null,
    [string, Packed[], [string, Packed[]][]][],
    (number | null)?,
    (number | null)?,
  ];
  return {
    lastAnswer: lastAnswer ?? NEVER,
    lastAsked: lastAsked ?? NEVER,
    lastServed: lastServed ?? NEVER,
    providers: new Map(
      all.map(([provider, connection, resources]) => [
        provider,
        {
          connection: connection.map(unpack),
          resources: new Map(resources.map(([resource, evidence]) => [resource, evidence.map(unpack)])),
        },
      ]),
    ),
  };
}
