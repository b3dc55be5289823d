/** An error that ends a kafkajs consumer permanently: kafkajs neither retries the operation nor restarts the consumer. */
export class MemberOver extends Error {
  readonly retriable = false;

  constructor() {
    super('this member has ended');
    this.name = 'MemberOver';
  }
}

/** An error that would also end a new member, for example because a callback threw. The original error is its `cause`. */
export class Final extends Error {
  constructor(cause: unknown) {
    super('this member cannot continue', { cause });
  }
}

/** Lets the parts of a member end the member and check whether it has ended. */
export interface MemberLife {
  /** Whether the member has ended or is leaving. */
  readonly isOver: () => boolean;
  /** Throws {@link MemberOver} if the member has ended or is leaving. */
  readonly mustGoOn: () => void;
  /** Ends the member. If the error is {@link Final}, no new member replaces it. Returns an error for the caller to throw. */
  readonly end: (error: unknown) => MemberOver;
}
