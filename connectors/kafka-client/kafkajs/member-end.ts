/** The error that ends a consumer of the library for good: it does not repeat it, and does not start anew. */
export class MemberOver extends Error {
  readonly retriable = false;

  constructor() {
    super('this member has ended');
    this.name = 'MemberOver';
  }
}

/** What those who use a member threw, or what was found wrong with where they begin: its `cause`. Another member would fare no better. */
export class Final extends Error {
  constructor(cause: unknown) {
    super('what this member is for went wrong', { cause });
  }
}

/** Whether a member goes on, for the parts of it. */
export interface MemberLife {
  /** It has ended, or is leaving. */
  readonly isOver: () => boolean;
  /** Throws {@link MemberOver} if it is over. */
  readonly mustGoOn: () => void;
  /** Ends it, for good if the error is {@link Final}; gives the error with which the library is to end. */
  readonly end: (error: unknown) => MemberOver;
}
