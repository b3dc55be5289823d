/** Ends a consumer of the library permanently: the library neither retries nor restarts after this error. */
export class MemberOver extends Error {
  readonly retriable = false;

  constructor() {
    super('this member has ended');
    this.name = 'MemberOver';
  }
}

/** An error that would also end a new member: a callback threw, or a start offset is invalid. The original error is its `cause`. */
export class Final extends Error {
  constructor(cause: unknown) {
    super('this member cannot continue', { cause });
  }
}

/** Lets the parts of a member check whether the member has ended, and end it. */
export interface MemberLife {
  /** Whether the member has ended or is leaving. */
  readonly isOver: () => boolean;
  /** Throws {@link MemberOver} if the member has ended or is leaving. */
  readonly mustGoOn: () => void;
  /** Ends the member. If the error is {@link Final}, no new member replaces it. Returns the error to throw into the library. */
  readonly end: (error: unknown) => MemberOver;
}
