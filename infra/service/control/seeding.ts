import { demoProviders, providerSlugs } from '../connections/provider-catalogue.ts';
import type { Service } from '../service.ts';
import { drawsOf } from '../storage/draws.ts';
import type { Team } from '../teams/teams.ts';
import type { User } from '../users/user.ts';

interface SeededUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly providers: readonly string[];
}

interface SeededTeam extends Team {
  readonly api_key: string;
  readonly users: readonly SeededUser[];
}

interface Given {
  readonly seed: number;
  readonly users: number;
  /** Providers to choose from. Default: all, or all with demo data. */
  readonly providers?: readonly string[] | undefined;
  readonly demo: boolean;
}

/**
 * Creates a team with users, each with one or two connections. The same input gives the same ids and keys in every service,
 * whatever the service did before.
 */
export function seedTeam(service: Service, { seed, users, providers, demo }: Given): SeededTeam | 'seeded before' {
  const { teams } = service;
  if (teams.find(drawsOf(seedOf(seed)).uuid('team')) !== undefined) return 'seeded before';
  const draws = drawsOf(seedOf(seed));
  return service.atomically(() => {
    const team = teams.create(`seed ${seed}`, {}, draws);
    const choice = providers ?? (demo ? demoProviders : providerSlugs);
    const made = Array.from({ length: users }, (_, index) => {
      const user = service.users.create(team.team_id, `seed-${seed}-${index + 1}`, {}, draws) as User;
      const [first = 0, second = 0, isOne = 0] = draws.bytes('connections', 3);
      const chosen = [first, ...(isOne < 128 ? [] : [second])].map((byte) => choice[byte % choice.length]!);
      const slugs = [...new Set(chosen)];
      for (const provider of slugs) service.connections.connect(user, { provider, isDemo: demo });
      return { user_id: user.user_id, client_user_id: user.client_user_id, providers: slugs };
    });
    return { ...team, users: made };
  });
}

const seedOf = (seed: number): string => `seed ${seed}`;
