// One task of the work demo as data: what its contract demands, what the worker writes and reports,
// and what must come of it. The player does what stands here and compares; nothing is decided here.
import type { StandingLevel } from '#core/work/earned-standing'
import type { GateName, GateOutcome, Verification } from '#core/work/verification/gates'
import type { ScoreRule } from '#core/work/score'
import type { JsonMap } from '#core/kernel/canonical'

/** What an agent asks for after a task, one of each safety class. */
export type DemoTool = 'read' | 'deploy' | 'delete'

/** What such a request comes to: how many people are asked, or none. */
export type NextOutcome = 'allowed' | 'asks 1' | 'asks 2' | 'refused'

export interface FoundWork {
  readonly verification: Verification
  /** The gate that fails. */
  readonly gate?: GateName
  /** Its code, or that of its first finding. */
  readonly why?: string
}

/** A task claim. */
export interface WorkerReport extends JsonMap {
  readonly status: 'success' | 'blocked' | 'failed'
}

export interface WorkAttempt {
  /** What the worker leaves in its folder, and nothing else. */
  readonly files: Readonly<Record<string, string>>
  /** Links, by where they are, with where they lead. */
  readonly links?: Readonly<Record<string, string>>
  readonly report: WorkerReport
  /** Written after the work is named by its digest. */
  readonly swapped?: Readonly<Record<string, string>>
  /** What the gates find of the folder by itself. */
  readonly gates: FoundWork
  /** What its verification says; null: none is made, since the contract has ended. */
  readonly found: FoundWork | null
}

export interface WorkTask {
  readonly task: string
  /** The demo's own; the program of the tests is named when it is played. */
  readonly contract: JsonMap
  /** What runs its tests. */
  readonly tests?: 'node' | 'python3'
  /** How the worker goes about it. */
  readonly way: string
  readonly attempts: readonly WorkAttempt[]
  readonly next: DemoTool
  readonly expected: {
    readonly rule: ScoreRule
    /** What the standing moves by. */
    readonly score: number
    readonly level: StandingLevel
    readonly next: NextOutcome
  }
}

export interface Worker {
  /** The agent. */
  readonly agent: string
  readonly tasks: readonly WorkTask[]
  /** A person reinstates it after its tasks, and it asks once more. */
  readonly reinstated?: {
    readonly next: DemoTool
    readonly expected: { readonly level: StandingLevel; readonly next: NextOutcome }
  }
}

export const verified: FoundWork = { verification: 'verified' }
export const unverified: FoundWork = { verification: 'unverified' }

export function refutedBy(gate: GateName, why: string): FoundWork {
  return { verification: 'refuted', gate, why }
}

interface GateFound {
  readonly gate: GateName
  readonly outcome: GateOutcome
  readonly code?: string | undefined
  readonly findings: readonly { readonly code: string }[]
}

/** What gates found, to be compared with what is expected. */
export function foundOf(of: {
  readonly verification: Verification
  readonly gates: readonly GateFound[]
}): FoundWork {
  const failed = of.gates.find(({ outcome }) => outcome === 'fail')
  const { verification } = of
  if (failed === undefined) return { verification }
  const why = failed.code ?? failed.findings[0]?.code ?? ''
  return { verification, gate: failed.gate, why }
}

/** An attempt whose gates say what the log says. */
export function attempt(
  of: Omit<WorkAttempt, 'gates' | 'found'> & { readonly comesTo: FoundWork },
): WorkAttempt {
  const { comesTo, ...rest } = of
  return { ...rest, gates: comesTo, found: comesTo }
}

export function success(...filesCreated: readonly string[]): WorkerReport {
  return { status: 'success', filesCreated }
}
