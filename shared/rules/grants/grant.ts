// Whether a grant can count at all by a catalog: who signs may decide for each of its agents,
// every expression can be worked out, and its uses are counted in one cell. It says why not in one
// phrase.
import type { GrantData, GrantedQuestion } from '#schemas/action/grant'
import type { Capability } from '#schemas/catalog'
import { amountWritten } from '../budgets/decimal.ts'
import { amountProblem } from '../budgets/reading.ts'
import { confirmationOf, type Catalog, type Confirming } from '../catalog/catalog.ts'
import { cellOf } from '../catalog/cells.ts'
import { eligible } from '../catalog/confirmers.ts'
import { hasRules } from '../catalog/rules-version.ts'
import { conditionProblem } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { quoted } from '#record/quote'
import { withoutInvisible } from '#knowledge/known/invisible'

/** None is for longer than a year. */
const grantMsMax = 366 * 24 * 3_600_000

type Classes = readonly Capability['safetyClass'][]
const usual: Classes = ['READ', 'WRITE']

/** Whether grants may answer for calls of that class where this confirmation asks. */
export function mayGrant(
  { grants }: Pick<Confirming, 'grants'>,
  safetyClass: Capability['safetyClass'],
): boolean {
  return (grants ?? usual).includes(safetyClass)
}

/** Why the grant, signed at that time, counts for nothing; null where it may count. */
export function grantFault(catalog: Catalog, grant: GrantData, at: number): string | null {
  const { confirmer, until } = grant
  const signer = catalog.principals.get(confirmer)
  if (signer === undefined || signer.suspended) {
    return `the catalog has no active ${quoted(confirmer)}`
  }
  const end = Date.parse(until)
  if (end <= at) return 'its last moment has passed already'
  if (end > at + grantMsMax) return 'it is for longer than 366 days: sign a shorter one'
  return (
    hiddenFault(grant) ??
    classFault(catalog, grant) ??
    questionsFault(grant) ??
    standing(catalog, grant)
  )
}

/** Why it cannot count by the catalog of now; null where it can. */
export function standing(catalog: Catalog, grant: GrantData): string | null {
  return personFault(catalog, grant) ?? cellFault(catalog, grant)
}

// What a person reads must be all that is signed.
function hiddenFault(grant: GrantData): string | null {
  const { when, agents, values = [], budget, note = '' } = grant
  const texts = [when, ...agents, ...values.flatMap(({ among }) => among), budget?.of ?? '', note]
  const hidden = texts.find((text) => withoutInvisible(text) !== text)
  return hidden === undefined ? null : `${quoted(hidden)} has characters that do not show`
}

/** What is wrong with the class of calls by that catalog; null where nothing is. */
export function classFault(catalog: Catalog, grant: GrantData): string | null {
  const { capability: id, safetyClass, when, budget } = grant
  const capability = catalog.capabilities.get(id)
  if (capability === undefined) return `there is no tool ${quoted(id)}`
  if (capability.safetyClass !== safetyClass) return `${quoted(id)} is ${capability.safetyClass}`
  const args = typeOfArguments(capability.argsSchema)
  const literals = hasRules(catalog, 'strictConversions')
  const condition = conditionProblem(when, args, { literals, closed: ['acts'] })
  if (condition !== null) {
    return `condition: ${condition.message} (at character ${condition.offset + 1})`
  }
  if (budget === undefined) return null
  if (amountWritten(budget.max) === 0n) return 'its budget is 0'
  const amount = amountProblem(budget.of, args, { literals })
  if (amount === null) return null
  return `budget: ${amount.message} (at character ${amount.offset + 1})`
}

function questionsFault({ questions, values = [] }: GrantData): string | null {
  for (const question of questions) {
    if (question.kind !== 'value_unknown') continue
    const { arg, value } = question
    const isBound = values.some((one) => one.arg === arg && one.kind === value)
    if (!isBound) return `it lists no values for ${quoted(arg)}, which it answers for`
  }
  return null
}

// Never wider than the person's own right.
function personFault(catalog: Catalog, grant: GrantData): string | null {
  const { agents, questions, confirmer, safetyClass } = grant
  if (new Set(agents).size < agents.length) return 'it names an agent twice'
  for (const agent of agents) {
    if (!catalog.principals.has(agent)) return `the catalog has no ${quoted(agent)}`
    for (const id of confirmationsIn(questions)) {
      const confirmation = confirmationOf(catalog, id)
      if (confirmation === null) return `there is no confirmation ${quoted(id ?? '')}`
      const asked = eligible(catalog, { agent, confirmation, delegators: [] })
      if (asked?.confirmers.includes(confirmer) !== true) {
        return `${quoted(confirmer)} may not decide for ${quoted(agent)}`
      }
      if (mayGrant(confirmation, safetyClass)) continue
      const asks = id === undefined ? 'the owner' : `the confirmation ${quoted(id)}`
      return `where ${asks} is asked, each call of class ${safetyClass} is asked about`
    }
  }
  return null
}

function confirmationsIn(questions: readonly GrantedQuestion[]): ReadonlySet<string | undefined> {
  return new Set(questions.map(({ confirmation }) => confirmation))
}

// A name is bound once in one log: what several logs count apart would be more than was signed.
function cellFault(catalog: Catalog, { agents, cell, perCell }: GrantData): string | null {
  if (catalog.cells === null) return cell === undefined ? null : 'the realm has no cells'
  if (perCell === true) return cell === undefined ? null : 'it is of one cell, and of each'
  const cells = new Set(agents.map((agent) => cellOf(catalog, agent)))
  if (cells.size > 1) return 'its agents are in several cells: give each cell its share'
  if (cell === undefined || !cells.has(cell)) return 'it does not say the cell of its agents'
  return null
}
