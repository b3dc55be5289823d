import type { Service, User } from '@aorta/service';
import { type Days, periodOf } from '../period.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { signUps } from './sign-ups.ts';
import type { Step } from './step.ts';
import { troubles } from './troubles.ts';

export interface Performance extends Days {
  readonly service: Service;
  readonly team: string;
  readonly people: number;
}

/** Lets the people of a demonstration live through its days. Resolves at the end of the last day. */
export async function perform({ service, team, people, ...days }: Performance): Promise<void> {
  const period = periodOf(days);
  const users = service.atomically(() =>
    Array.from({ length: people }, (_, person) => {
      const name = `demo-${String(person + 1).padStart(3, '0')}`;
      return service.users.create(team, name, {}) as User;
    }),
  );
  const steps = [...deliveryFaults(period), ...troubles(people, period), ...signUps(people, period)];
  for (const { at, happen } of steps.toSorted(byTime)) {
    await service.jobs.advanceTo(at);
    service.atomically(() => happen({ service, team, users }));
  }
  await service.jobs.advanceTo(period.end);
}

const byTime = (a: Step, b: Step): number => a.at - b.at;
