import type { Service, User } from '@aorta/service';

/** The service and the people of a demonstration. The index of a user is the person's number. */
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
