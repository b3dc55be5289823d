import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { olderKeyHeaders } from '../api/deprecation.ts';
import { problem } from '../api/errors.ts';
import type { Answer, AnswerForm, Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import type { ManagementKey } from '../teams/management-keys.ts';
import { hasScale, type Organizations } from '../teams/organizations.ts';
import { regions, type TeamRecord, type Teams } from '../teams/teams.ts';

const environments = ['production', 'sandbox'] as const;
export const environmentNameSchema = z.enum(environments);

/* The parameters of paths, by what the path is about. */
export const orgParams = z.object({ org_id: uuidSchema });
export const regionParams = orgParams.extend({ env: environmentNameSchema, region: z.enum(regions) });
export const teamParams = orgParams.extend({ team_id: uuidSchema });
export const environmentParams = teamParams.extend({ environment: environmentNameSchema });

interface Params {
  readonly org_id: string;
  readonly team_id?: string;
  readonly env?: (typeof environments)[number];
  readonly environment?: (typeof environments)[number];
  readonly region?: (typeof regions)[number];
}

/** The teams that the key of a request controls. */
interface Reach {
  readonly key: ManagementKey;
  /** Returns a team in the region of the request. Throws a {@link Refusal} if the key does not control it. */
  team(id: string): TeamRecord;
  /** Returns these teams, or else all that the key controls, in the region of the request, the oldest first. */
  teams(ids?: readonly string[]): TeamRecord[];
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

interface Declared<Path extends z.ZodType<Params>, Query, Body>
  extends Pick<Operation, 'id' | 'method' | 'path' | 'tag' | 'summary' | 'answers' | 'since'> {
  /** See {@link Operation.managed}. */
  readonly managed: 'organization' | 'teams';
  readonly params: Path;
  readonly query?: Query;
  readonly body?: Body;
  handle(
    call: Reach & { readonly params: z.output<Path>; readonly query: Parsed<Query>; readonly body: Parsed<Body> },
  ): Answer | Promise<Answer>;
}

export interface Owners {
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly cursors: Cursors;
}

/** Ends an operation of the management API with an answer. A handler throws it before, or within, its transaction. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, detail: string) {
    super(detail);
    this.answer = { status, body: { detail } };
  }
}

export const NO_SCALE =
  'The management API and ETL pipelines need the Scale plan. The plan of this organization does not have them.';
const OTHER_ORGANIZATION = 'The management key is of another organization';
const ORGANIZATION_ONLY = 'This needs the management key of an organization. The key of teams cannot use it.';
const OTHER_TEAM = 'The management key does not control this team';
export const NO_TEAM = 'Team not found';
const OTHER_REGION = 'The team is in another region';
export const NO_PRODUCTION = 'The team has no production environment. This service has the sandbox environment only.';

/** The answers that every operation of the management API can give. */
const refusals: Readonly<Record<number, AnswerForm>> = {
  403: problem('The key may not do this, or the plan of the organization does not have it.'),
};

/**
 * Declares an operation of the management API. Its handler runs only if the key may use it. The organization of the path must be
 * the key's, and have the Scale plan. The key must control the team of the path. Other teams of the request must come from `team`.
 */
export function managedOperation<
  Path extends z.ZodType<Params>,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(owners: Owners, { handle, answers, ...declared }: Declared<Path, Query, Body>): Operation {
  const checked = async ({ key, ...parts }: { readonly key: ManagementKey; readonly params: Params }): Promise<Answer> => {
    try {
      const reach = reachOf(owners, key, parts.params);
      admit(owners, declared.managed, reach, parts.params);
      return await handle({ ...reach, ...parts } as never);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  };
  const missing = { 404: problem('The organization has no such team.') };
  return {
    since: 'management API',
    deprecatedParts: [olderKeyHeaders],
    ...declared,
    answers: { ...(declared.path.endsWith('{org_id}') ? {} : missing), ...refusals, ...answers },
    handle: checked,
  } as unknown as Operation;
}

/** Throws a {@link Refusal} if the key may not use the operation. */
function admit({ organizations }: Owners, managed: 'organization' | 'teams', { key, team }: Reach, params: Params): void {
  if (params.org_id !== key.org_id) throw new Refusal(403, OTHER_ORGANIZATION);
  if (!hasScale(organizations.find(key.org_id)!)) throw new Refusal(403, NO_SCALE);
  if (managed === 'organization' && key.team_ids !== null) throw new Refusal(403, ORGANIZATION_ONLY);
  if (params.team_id !== undefined) team(params.team_id);
  if ((params.env ?? params.environment) === 'production') throw new Refusal(404, NO_PRODUCTION);
}

function reachOf({ teams }: Owners, key: ManagementKey, { region }: Params): Reach {
  const isInRegion = (team: TeamRecord): boolean => region === undefined || team.region === region;
  const team = (id: string): TeamRecord => {
    // A key of teams does not tell whether another team exists.
    if (key.team_ids?.includes(id) === false) throw new Refusal(403, OTHER_TEAM);
    const found = teams.record(key.org_id, id);
    if (found === undefined) throw new Refusal(404, NO_TEAM);
    if (!isInRegion(found)) throw new Refusal(404, OTHER_REGION);
    return found;
  };
  return {
    key,
    team,
    teams(ids) {
      if (ids !== undefined) return [...new Set(ids)].map(team).sort((a, b) => a.number - b.number);
      return teams.of(key.org_id).filter((one) => isInRegion(one) && key.team_ids?.includes(one.team_id) !== false);
    },
  };
}
