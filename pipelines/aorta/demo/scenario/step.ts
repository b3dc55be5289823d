import type { Service, User } from '@aorta/service';

/** The people of a demonstration, in the order in which they signed up. */
export interface Cast {
  readonly service: Service;
  readonly team: string;
  readonly users: readonly User[];
}

/** Something that happens at a virtual time, in milliseconds since 1970. */
export interface Step {
  readonly at: number;
  readonly happen: (cast: Cast) => void;
}
