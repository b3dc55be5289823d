import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Evidence } from '@aorta/schemas';

/** Evidence about a user's connection to a provider, and about each resource of the provider. */
export interface ProviderEvidence {
  /** Evidence about the connection itself. It applies to all resources. */
  readonly connection: Evidence[];
  readonly resources: Map<string, Evidence[]>;
}

/** All evidence about a user's pulls. */
export interface UserEvidence {
  /** Time assigned to the last answer as evidence. It increases with each answer, even if a clock jumps back. */
  lastAnswer: number;
  /** Latest request time and latest service time of all answers. A poll is a repetition if neither of its times is later. */
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

/** Compresses a user's evidence to about a tenth of its size, because there may be a hundred thousand users. */
export function packUser({ lastAnswer, lastAsked, lastServed, providers }: UserEvidence): Buffer {
  const all = [...providers].map(([provider, { connection, resources }]) => [
    provider,
    connection.map(pack),
    [...resources].map(([resource, evidence]) => [resource, evidence.map(pack)]),
  ]);
  // JSON writes -Infinity as null.
  const packed = deflateRawSync(JSON.stringify([lastAnswer, all, lastAsked, lastServed]), { level: 1 });
  // Copies the bytes, because zlib returns a view of a 16 KB buffer, and the view would keep the whole buffer in memory.
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
