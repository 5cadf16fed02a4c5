// Why a verdict came out as it did: the one reason that decided it, the rule as the catalog or the
// graph had it then, what it was decided from, and what else was looked at. It repeats what the
// record says, and evaluates nothing.
import type { Catalog } from '#rules/catalog/catalog'
import { jsonOf, type Json, type JsonMap } from '#record/canonical'
import { isMap } from '#messages/envelope'
import type { GroundingData, VerdictData } from '#schemas/facts'
import type { Condition } from '#schemas/catalog'
import type { Reason } from '#schemas/reasons'
import { explain } from '../explain.ts'
import { answerText } from '../question-text.ts'
import { reasonText } from '../reason-text.ts'
import { sentence } from '../wording.ts'
import { leavesOf } from './leaves.ts'

export interface WhyShown {
  readonly outcome: VerdictData['outcome']
  readonly decided: string
  /** The code of the reason that decided; null where nothing refused. */
  readonly code: string | null
  /** The rule or policy by its name; null of what is built in. */
  readonly rule: string | null
  /** How the rule is written; null where it is built in. */
  readonly definition: JsonMap | null
  /** What would help; null where it is allowed. */
  readonly recover: string | null
  readonly inputs: readonly WhyInput[]
  readonly others: readonly { readonly code: string; readonly text: string }[]
  readonly passed: readonly string[]
  readonly notRun: readonly string[]
  readonly revisions: {
    readonly catalog: number
    readonly graph: number
    readonly rules: number
    readonly module: string | null
  }
}

export interface WhyInput {
  readonly label: string
  readonly text: string
  /** Where it comes from. */
  readonly from: 'request' | 'reason' | 'catalog'
}

export interface WhyOf {
  readonly verdict: VerdictData
  /** What it asked for; null where its message cannot be believed. */
  readonly args: JsonMap | null
  readonly grounding: GroundingData | null
  /** As it was then. */
  readonly catalog: Catalog
}

const inputsMax = 60

export function whyShown(decided: WhyOf): WhyShown {
  const { verdict, catalog } = decided
  const [first] = verdict.reasons
  const written = first === undefined ? null : definitionOf(first, decided)
  const passed = passedIn(decided)
  return {
    outcome: verdict.outcome,
    decided: first === undefined ? allowedText(verdict) : begun(reasonText(first)),
    code: first?.code ?? null,
    rule: first?.params.rule ?? first?.params.policy ?? null,
    definition: written,
    recover: first === undefined ? null : recoverText(first),
    inputs: inputsOf(decided, first, written),
    others: verdict.reasons.slice(1).map((reason) => {
      return { code: reason.code, text: begun(reasonText(reason)) }
    }),
    passed,
    notRun: (verdict.notRun ?? []).map(({ policy, source, target }) => {
      return `${policy} on ${source} → ${target}`
    }),
    revisions: {
      catalog: verdict.catalogRevision,
      graph: verdict.graphRevision,
      rules: catalog.rules,
      module: verdict.callbackModule,
    },
  }
}

function begun(text: string): string {
  const first = text.slice(0, 1)
  return sentence(/[a-z]/.test(first) ? `${first.toUpperCase()}${text.slice(1)}` : text)
}

function allowedText({ release, grants = [] }: VerdictData): string {
  if (grants.length > 0)
    return 'Nothing refused it, and a grant answered what people would be asked.'
  if (release === null || release.confirmedBy.length === 0) return 'Nothing refused it.'
  return `Nothing refused it, and ${release.confirmedBy.join(', ')} approved it.`
}

/** What helps stands behind the reason in the line of an explanation. */
function recoverText(reason: Reason): string | null {
  const [, line = ''] = explain({
    outcome: 'deny',
    reasons: [reason],
    questions: [],
    constraints: {},
  })
  const said = `- ${reason.code}: ${reasonText(reason)}`
  const rest = line.slice(said.length).replace(/^[.\s]+/, '')
  return rest === '' ? null : rest
}

function definitionOf({ params }: Reason, decided: WhyOf): JsonMap | null {
  if (params.rule !== undefined) {
    const found = conditionsOf(decided).find(({ name }) => name === params.rule)
    return found === undefined ? null : { ...found }
  }
  if (params.policy === undefined) return null
  const placed = policiesOf(decided).find(({ policy, source, target }) => {
    return (
      policy.name === params.policy &&
      (params.source ?? source) === source &&
      (params.target ?? target) === target
    )
  })
  return placed === undefined ? null : mapOf(jsonOf(placed))
}

function mapOf(value: Json): JsonMap | null {
  return isMap(value) ? value : null
}

function conditionsOf({ catalog, grounding }: WhyOf): readonly Condition[] {
  const id = grounding?.capability ?? null
  const capability = id === null ? undefined : catalog.capabilities.get(id)
  return [...(capability?.conditions ?? []), ...catalog.conditions]
}

function policiesOf({ verdict, grounding }: WhyOf) {
  const ground = verdict.release?.ground ?? grounding?.ground ?? null
  return ground?.policies ?? []
}

// What a condition names is shown first; of a rule that is built in, all that its reason holds.
function inputsOf(
  { args, verdict, catalog }: WhyOf,
  reason: Reason | undefined,
  written: JsonMap | null,
): readonly WhyInput[] {
  const when = typeof written?.['when'] === 'string' ? written['when'] : null
  const request = leavesOf({ args: args ?? {} })
    .leaves.filter(({ pointer }) => pointer !== '/args')
    .filter(({ label }) => when === null || when.includes(label))
    .map(({ label, text }): WhyInput => ({ label, text, from: 'request' }))
  const params =
    reason === undefined
      ? []
      : leavesOf(jsonOf(reason.params))
          .leaves.filter(({ pointer }) => !/^\/(rule|policy|message)$/.test(pointer))
          .filter(({ pointer }) => pointer !== '')
          .map(({ label, text }): WhyInput => ({ label, text, from: 'reason' }))
  const agent = catalog.principals.get(verdict.intent.agent)
  const named = when?.includes('principal') === true && agent !== undefined
  const who = named
    ? leavesOf(jsonOf({ roles: agent.roles, attributes: agent.attributes })).leaves
    : []
  const catalogued = who.map(({ label, text }): WhyInput => {
    return { label: `principal.${label}`, text, from: 'catalog' }
  })
  return [...params, ...request, ...catalogued].slice(0, inputsMax)
}

/** Of an allow each rule held; of a denial only what the record shows that it did. */
function passedIn(decided: WhyOf): readonly string[] {
  const { verdict } = decided
  const answered = verdict.callbacks.filter(
    ({ passed, applies }) => passed === true || applies === false,
  )
  const answers = answered.map(answerText)
  if (verdict.outcome === 'deny') return answers
  const conditions = conditionsOf(decided).map(
    ({ name, effect, when }) => `${name}: ${effect} ${when}`,
  )
  const policies = policiesOf(decided)
    .filter(({ policy }) => !verdict.callbacks.some((answer) => answer.policy === policy.name))
    .map(({ policy, source, target }) => `${policy.name} on ${source} → ${target}`)
  return [...conditions, ...policies, ...answers]
}
