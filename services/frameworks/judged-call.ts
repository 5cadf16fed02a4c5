// A call of a tool as a framework hands it over, and what became of it when it was judged.
import type { Verdict } from '#replay/verdicts/verdict'
import type { NotRun } from './not-run.ts'

export interface FrameworkCall {
  /** The framework's own, by which the call is found again: the same call is the same intent. */
  readonly id: string
  /** The tool's name in the framework. */
  readonly tool: string
  readonly args: object
}

export type JudgedCall =
  | { readonly state: 'allowed'; readonly verdict: Verdict }
  | { readonly state: 'refused'; readonly notRun: NotRun }
  | { readonly state: 'waiting'; readonly notRun: NotRun }
