// What the registry of faults says about each code.
import type { exitCodes } from './exit.ts'

/** Whether trying the same again can help. */
export type Retry = 'never' | 'soon'

export interface FaultEntry {
  readonly retry: Retry
  /** With what a command ends; 1 if absent. */
  readonly exit?: (typeof exitCodes)[keyof typeof exitCodes]
  /** One or two sentences for a person who has only the code. */
  readonly means: string
  /** What to do about it, as an order. */
  readonly fix: string
}
