import type { FastifyRequest } from 'fastify';
import type { ManagementKey, ManagementKeys } from '../teams/management-keys.ts';
import { type AccessTokens, hashedKey } from '../teams/team-keys.ts';
import type { Team, Teams } from '../teams/teams.ts';
import { hasCome, type Versions } from '../versions/versions.ts';

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
  readonly versions: Versions;
}

/** The sender of a request, in the form that handlers of operations get. */
type Sender = { readonly team: Team } | ManagementKeySent;

interface ManagementKeySent {
  readonly key: ManagementKey;
  /** Name of the header that has the key. */
  readonly keyHeader: string;
  /** Date of the organization's interface, in milliseconds since 1970. */
  readonly date: number;
}

/** A request without a valid key: the body of the answer. */
interface Refused {
  readonly refused: { readonly detail: string };
}

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

  /** Returns the management key of a request. A header counts only if the interface of the organization has it by its date. */
  managementKeyOf(request: FastifyRequest): ManagementKeySent | undefined {
    const { managementKeys, versions } = this.#parts;
    for (const keyHeader of MANAGEMENT_KEY_HEADERS) {
      const text = request.headers[keyHeader];
      if (typeof text !== 'string') continue;
      const key = managementKeys.ofKey(text);
      const date = key === undefined ? versions.at(null) : versions.ofOrganization(key.org_id);
      if (keyHeader === MANAGEMENT_KEY_HEADERS[0] && !hasCome('X-Management-Key', date)) continue;
      if (key === undefined || (key.team_ids !== null && !hasCome('management keys of teams', date))) return undefined;
      return { key, keyHeader, date };
    }
    return undefined;
  }

  /** Returns what the service counts a request by: its key, or the team of its token. Undefined without a valid key. */
  callerOf(request: FastifyRequest): string | undefined {
    if (request.routeOptions.config.isManaged === true) return this.managementKeyOf(request)?.key.key_id;
    const team = this.teamOf(request)?.team_id;
    if (team === undefined) return undefined;
    const key = keyIn(request, TEAM_KEY_HEADERS);
    return key === undefined ? team : hashedKey(key).key_hash;
  }

  /** Returns the team or the management key of a request, whichever its operation needs, or else the body that refuses it. */
  senderOf(request: FastifyRequest): Sender | Refused {
    if (request.routeOptions.config.isManaged === true)
      return this.managementKeyOf(request) ?? { refused: INVALID_MANAGEMENT_KEY };
    const team = this.teamOf(request);
    return team === undefined ? { refused: INVALID_KEY } : { team };
  }

  /** Returns the date of the interface that a sender uses, in milliseconds since 1970. */
  dateOf(sender: Sender | Refused): number {
    const { versions } = this.#parts;
    if ('team' in sender) return versions.at(sender.team.as_of);
    return 'key' in sender ? sender.date : versions.at(null);
  }

  /** Returns whether a team may call an operation in closed beta. */
  isInBeta(sender: Sender, operation: string): boolean {
    return 'team' in sender && this.#parts.teams.betas.has(sender.team.team_id, operation);
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
