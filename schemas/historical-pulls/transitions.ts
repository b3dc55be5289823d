import type { PullState } from './state.ts';

/** The events of a pull. Each piece of evidence becomes one of these events when it is assigned to a pull. */
export const pullEvents = [
  'connected',
  'connection_error',
  'expected',
  'unavailable',
  'completed',
  'completed_perhaps',
  'completed_early',
  'completed_partly',
  'told_scheduled',
  'told_in_progress',
  'told_retrying',
  'told_success',
  'told_failure',
  'told_unknown',
] as const;
export type PullEvent = (typeof pullEvents)[number];

/**
 * The effect of an event on a pull:
 * - `moves`: the pull moves to a different state
 * - `confirms`: the event reports the state that the pull already has
 * - `noted`: the event changes other fields, but not the state
 * - `late`: the event reports an open state after the pull has ended, so it has no effect
 * - `contradicts`: the event reports the opposite outcome after the pull has ended, and the pull moves to that state
 */
type Effect = 'moves' | 'confirms' | 'noted' | 'late' | 'contradicts';

export interface Cell {
  readonly to: PullState;
  readonly verdict: Effect;
}

const moves = <S extends PullState>(to: S) => ({ to, verdict: 'moves' }) as const;
const confirms = <S extends PullState>(to: S) => ({ to, verdict: 'confirms' }) as const;
const noted = <S extends PullState>(to: S) => ({ to, verdict: 'noted' }) as const;
const late = <S extends PullState>(to: S) => ({ to, verdict: 'late' }) as const;
const contradicts = <S extends PullState>(to: S) => ({ to, verdict: 'contradicts' }) as const;

/** A cell for each state and event. A missing cell does not compile. `SPEC.md` gives the reasons. */
export const transitions: Readonly<Record<PullState, Readonly<Record<PullEvent, Cell>>>> = {
  expected: {
    connected: noted('expected'),
    connection_error: noted('expected'),
    expected: confirms('expected'),
    unavailable: noted('expected'),
    completed: moves('success'),
    completed_perhaps: noted('expected'),
    completed_early: noted('expected'),
    completed_partly: moves('in_progress'),
    told_scheduled: moves('scheduled'),
    told_in_progress: moves('in_progress'),
    told_retrying: moves('retrying'),
    told_success: moves('success'),
    told_failure: moves('failure'),
    told_unknown: moves('unknown'),
  },
  scheduled: {
    connected: noted('scheduled'),
    connection_error: noted('scheduled'),
    expected: late('scheduled'),
    unavailable: noted('scheduled'),
    completed: moves('success'),
    completed_perhaps: noted('scheduled'),
    completed_early: noted('scheduled'),
    completed_partly: moves('in_progress'),
    told_scheduled: confirms('scheduled'),
    told_in_progress: moves('in_progress'),
    told_retrying: moves('retrying'),
    told_success: moves('success'),
    told_failure: moves('failure'),
    told_unknown: moves('unknown'),
  },
  in_progress: {
    connected: noted('in_progress'),
    connection_error: noted('in_progress'),
    expected: late('in_progress'),
    unavailable: noted('in_progress'),
    completed: moves('success'),
    completed_perhaps: noted('in_progress'),
    completed_early: noted('in_progress'),
    completed_partly: confirms('in_progress'),
    told_scheduled: moves('scheduled'),
    told_in_progress: confirms('in_progress'),
    told_retrying: moves('retrying'),
    told_success: moves('success'),
    told_failure: moves('failure'),
    told_unknown: moves('unknown'),
  },
  retrying: {
    connected: noted('retrying'),
    connection_error: noted('retrying'),
    expected: late('retrying'),
    unavailable: noted('retrying'),
    completed: moves('success'),
    completed_perhaps: noted('retrying'),
    completed_early: noted('retrying'),
    completed_partly: noted('retrying'),
    told_scheduled: moves('scheduled'),
    told_in_progress: moves('in_progress'),
    told_retrying: confirms('retrying'),
    told_success: moves('success'),
    told_failure: moves('failure'),
    told_unknown: moves('unknown'),
  },
  unknown: {
    connected: noted('unknown'),
    connection_error: noted('unknown'),
    expected: late('unknown'),
    unavailable: noted('unknown'),
    completed: moves('success'),
    completed_perhaps: noted('unknown'),
    completed_early: noted('unknown'),
    completed_partly: noted('unknown'),
    told_scheduled: moves('scheduled'),
    told_in_progress: moves('in_progress'),
    told_retrying: moves('retrying'),
    told_success: moves('success'),
    told_failure: moves('failure'),
    told_unknown: confirms('unknown'),
  },
  success: {
    connected: noted('success'),
    connection_error: noted('success'),
    expected: late('success'),
    unavailable: noted('success'),
    completed: confirms('success'),
    completed_perhaps: noted('success'),
    completed_early: noted('success'),
    completed_partly: late('success'),
    told_scheduled: late('success'),
    told_in_progress: late('success'),
    told_retrying: late('success'),
    told_success: confirms('success'),
    told_failure: contradicts('failure'),
    told_unknown: late('success'),
  },
  failure: {
    connected: noted('failure'),
    connection_error: noted('failure'),
    expected: late('failure'),
    unavailable: noted('failure'),
    completed: contradicts('success'),
    completed_perhaps: noted('failure'),
    completed_early: noted('failure'),
    completed_partly: late('failure'),
    told_scheduled: late('failure'),
    told_in_progress: late('failure'),
    told_retrying: late('failure'),
    told_success: contradicts('success'),
    told_failure: confirms('failure'),
    told_unknown: late('failure'),
  },
};
