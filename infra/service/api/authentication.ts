import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from '../teams/access-tokens.ts';
import { hashedKey } from '../teams/key-hash.ts';
import type { ManagementKey, ManagementKeys } from '../teams/management-keys.ts';
import type { Team, Teams } from '../teams/teams.ts';

/** Headers that may hold the key of a team: the documented one, and the one of the real service. */
export const TEAM_KEY_HEADERS = ['x-service-api-key', 'x-vital-api-key'] as const;
/** Headers that may hold a management key: the documented one, the deprecated one, and that one's name in the real service. */
export const MANAGEMENT_KEY_HEADERS = ['x-management-key', 'x-service-org-key', 'x-vital-org-key'] as const;

/** Body of the answer to a request without a team's key. */
export const INVALID_KEY = { detail: 'Invalid or missing API key' };
/** Body of the answer to a management request without a management key. */
export const INVALID_MANAGEMENT_KEY = { detail: 'Invalid or missing management key' };

interface Parts {
  readonly teams: Teams;
  readonly managementKeys: ManagementKeys;
  readonly tokens: AccessTokens;
}

/** The sender of a request, in the form that handlers of operations get. */
type Sender = { readonly team: Team } | { readonly key: ManagementKey };

/** Finds out who sends a request. A key counts only in a header of its kind. */
export class Authentication {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the team whose key or token a request has. */
  teamOf(request: FastifyRequest): Team | undefined {
    const { teams, tokens } = this.#parts;
    const key = keyIn(request, TEAM_KEY_HEADERS);
    if (key !== undefined) return teams.ofKey(key);
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const team = token === undefined ? undefined : tokens.teamOf(token);
    return team === undefined ? undefined : teams.find(team);
  }

  /** Returns the management key of a request. */
  managementKeyOf(request: FastifyRequest): ManagementKey | undefined {
    const key = keyIn(request, MANAGEMENT_KEY_HEADERS);
    return key === undefined ? undefined : this.#parts.managementKeys.ofKey(key);
  }

  /** Returns what the service counts a request by: its key, or the team of its token. Undefined without a valid key. */
  callerOf(request: FastifyRequest): string | undefined {
    if (request.routeOptions.config.isManaged === true) return this.managementKeyOf(request)?.key_id;
    const team = this.teamOf(request)?.team_id;
    if (team === undefined) return undefined;
    const key = keyIn(request, TEAM_KEY_HEADERS);
    return key === undefined ? team : hashedKey(key).key_hash;
  }

  /** Returns the team or the management key of a request, whichever its operation needs, or else the body that refuses it. */
  senderOf(request: FastifyRequest): Sender | { readonly refused: { readonly detail: string } } {
    if (request.routeOptions.config.isManaged === true) {
      const key = this.managementKeyOf(request);
      return key === undefined ? { refused: INVALID_MANAGEMENT_KEY } : { key };
    }
    const team = this.teamOf(request);
    return team === undefined ? { refused: INVALID_KEY } : { team };
  }
}

/** Returns the name of the header from which the service takes a request's key. */
export function keyHeaderOf(request: FastifyRequest): string | undefined {
  return headerOf(request, request.routeOptions.config.isManaged === true ? MANAGEMENT_KEY_HEADERS : TEAM_KEY_HEADERS);
}

const headerOf = ({ headers }: FastifyRequest, names: readonly string[]): string | undefined =>
  names.find((name) => typeof headers[name] === 'string');

function keyIn(request: FastifyRequest, names: readonly string[]): string | undefined {
  const name = headerOf(request, names);
  return name === undefined ? undefined : (request.headers[name] as string);
}
