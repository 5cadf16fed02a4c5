// The gates that finished work has to pass, and what they come to together. A gate finds one of
// five outcomes, and only `fail` refutes; what proves nothing never counts as success.
import { gateNames, type gateOutcomes, type layerNames } from '#schemas/work/facts'
import type { JsonMap } from '#record/canonical'

/** In the order in which they are looked at. After one that fails no further one is. */
export { gateNames }
export type GateName = (typeof gateNames)[number]

export type GateOutcome = (typeof gateOutcomes)[number]

export interface GateFinding {
  readonly code: string
  /** A path, a link, a name: what someone wrote, cut short. */
  readonly about?: string
  readonly line?: number
}

export interface GateResult {
  readonly gate: GateName
  readonly outcome: GateOutcome
  /** Why, where that is not the outcome alone. */
  readonly code?: string
  /** What speaks against the work. */
  readonly findings: readonly GateFinding[]
  /** What is a hint to a reader. */
  readonly warnings: readonly GateFinding[]
  readonly evidence: JsonMap
}

const layers = {
  files: 'deterministic',
  tests: 'deterministic',
  lint: 'deterministic',
  syntax: 'deterministic',
  structure: 'structural',
  sources: 'grounding',
  links: 'grounding',
  council: 'council',
} as const satisfies Readonly<Record<GateName, Layer>>
export type Layer = (typeof layerNames)[number]

export type Verification = 'verified' | 'refuted' | 'unverified'

export interface Conclusion {
  readonly verification: Verification
  /** The first that fails. */
  readonly gateFailed: GateName | null
  readonly layerFailed: Layer | null
}

export interface GateParts {
  readonly code?: string
  readonly findings?: readonly GateFinding[]
  readonly warnings?: readonly GateFinding[]
  readonly evidence?: JsonMap
}

export function gateResult(
  gate: GateName,
  outcome: GateOutcome,
  { code, findings = [], warnings = [], evidence = {} }: GateParts = {},
): GateResult {
  const shown = (found: readonly GateFinding[]) => found.slice(0, findingsMax)
  return {
    gate,
    outcome,
    ...(code !== undefined && { code }),
    findings: shown(findings),
    warnings: shown(warnings),
    evidence: findings.length > findingsMax ? { ...evidence, found: findings.length } : evidence,
  }
}

/** Further ones are counted. */
const findingsMax = 100

/** Asked for, and not even tried: it leaves the work unverified. */
const notTried: ReadonlySet<string> = new Set(['no_model'])

type Gated = Pick<GateResult, 'gate' | 'outcome'> & { readonly code?: string | undefined }

/** Verified is what passed at least one gate, and left none open that the contract asks for. */
export function conclusionOf(gates: readonly Gated[]): Conclusion {
  const failed = gates.find(({ outcome }) => outcome === 'fail')
  if (failed !== undefined) {
    const { gate } = failed
    return { verification: 'refuted', gateFailed: gate, layerFailed: layers[gate] }
  }
  const isOpen = gates.some(({ outcome, code = '' }) => {
    return outcome === 'inconclusive' || outcome === 'error' || notTried.has(code)
  })
  const isProven = !isOpen && gates.some(({ outcome }) => outcome === 'pass')
  return {
    verification: isProven ? 'verified' : 'unverified',
    gateFailed: null,
    layerFailed: null,
  }
}
