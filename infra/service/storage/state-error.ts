/** Options with which a state is created, and which a later process may give again. */
export type StateOption = 'seed' | 'start' | 'runs';

/** A state cannot be used as asked. Nothing has been changed. */
export class StateError extends Error {
  override readonly name = 'StateError';
  /** Says what the user can do. */
  readonly remedy: string;
  /** The option that contradicts the state. Undefined if the file cannot be used at all. */
  readonly option: StateOption | undefined;

  constructor(message: string, remedy: string, option?: StateOption) {
    super(message);
    this.remedy = remedy;
    this.option = option;
  }
}

/** Returns the error for an option that contradicts the state. */
export function contradiction(option: StateOption, message: string): StateError {
  return new StateError(message, 'Leave the option out, or create a new state at a different path.', option);
}
