// Drills that logs under rules before version 7 have: test questions to people. They are kept apart
// from everything that is decided: no decider reads them, and no fact but an answer of their own
// kind changes them.
import type { DrillAnswerData, DrillData } from '#schemas/attention/drill'
import type { Catalog } from '#rules/catalog/catalog'
import { policyAdminRole, wordRefusal } from '#rules/catalog/duties'
import { mayBeDrilled } from '#rules/catalog/people/attention'
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import { jsonOf } from '#record/canonical'
import type { Placed } from '#record/event'
import { token } from '#record/names'

export interface OpenDrill {
  readonly id: string
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly shownTo: readonly string[]
  readonly digest: string
  readonly questions: number
  /** Milliseconds since 1970. */
  readonly decideBy: number
  /** Who has answered it. */
  readonly answered: readonly string[]
}

/** By their ids; replaced, and never changed in place. */
export type Drills = ReadonlyMap<string, OpenDrill>

export const noDrills: Drills = new Map()

const drillsOpenMax = 256
const openMsMax = 30 * 86_400_000

interface Known {
  readonly catalog: Catalog
  readonly log: string | null
  readonly drills: Drills
}

/** Why the drill counts for nothing, or null where it counts. */
export function drillRefusal(known: Known, id: string, drill: Placed<DrillData>): string | null {
  const { catalog, drills } = known
  const { name, appendedAt, data } = drill
  const { asks, shownTo, by } = data
  const decideBy = Date.parse(asks.decideBy)
  if (drills.has(id)) return 'another drill has its id'
  if (token(asks.intent.address.split('.').at(-1) ?? '') !== id) return 'its intent has another id'
  if (asks.log !== known.log) return 'it is drawn from another log'
  if (decideBy <= appendedAt || decideBy > appendedAt + openMsMax) {
    return 'it is open for no time, or for more than 30 days'
  }
  if (withoutPast(drills, appendedAt).size >= drillsOpenMax) return 'too many drills are open'
  for (const person of shownTo) {
    const why = unshown(catalog, { person, by, confirmers: asks.confirmers })
    if (why !== null) return why
  }
  return wordRefusal(known, name, data, ({ roles }) => {
    return roles.includes(policyAdminRole) ? null : `\`${by}\` is not a policy admin`
  })
}

function unshown(
  catalog: Catalog,
  of: { readonly person: string; readonly by: string; readonly confirmers: readonly string[] },
): string | null {
  const { person, by, confirmers } = of
  if (person === by) return 'no one is drilled by a question of their own'
  if (!mayBeDrilled(catalog, person)) return `\`${person}\` has not agreed to drills`
  return confirmers.includes(person) ? null : `\`${person}\` might not answer the review itself`
}

/** Why the answer counts for nothing, or null where it counts. */
export function drillAnswerRefusal(
  { catalog, log, drills }: Known,
  id: string,
  answer: Placed<DrillAnswerData>,
): string | null {
  const { name, appendedAt, data } = answer
  const { signature, ...signed } = data
  const drill = drills.get(id)
  const { confirmer } = data
  if (token(confirmer) !== name.split('.').at(-1)) return 'it came under another name'
  if (drill === undefined || data.drill !== drill.name) return 'no such drill is open'
  if (!drill.shownTo.includes(confirmer)) return 'this person was not asked'
  if (drill.answered.includes(confirmer)) return 'this person has answered it already'
  if (data.digest !== drill.digest) return 'it answers something else than was shown'
  if (data.answers.length !== drill.questions) return 'it does not answer each question'
  if (appendedAt > drill.decideBy) return 'it came too late'
  const person = catalog.principals.get(confirmer)
  if (person === undefined || person.suspended) return 'the catalog knows no such confirmer'
  if (signature === undefined) return 'it is not signed'
  return isSignedByPerson(catalog, person, { log, name }, jsonOf(signed), signature)
    ? null
    : 'no key of this person in the catalog signed it'
}

export function withDrill(drills: Drills, id: string, drill: Placed<DrillData>): Drills {
  const { name, position, appendedAt, data } = drill
  const { asks, shownTo } = data
  const { digest, questions } = asks
  const decideBy = Date.parse(asks.decideBy)
  const of = { id, name, position, appendedAt, shownTo, digest, decideBy, answered: [] }
  return new Map(withoutPast(drills, appendedAt)).set(id, { ...of, questions: questions.length })
}

export function withDrillAnswer(drills: Drills, id: string, confirmer: string): Drills {
  const drill = drills.get(id)
  if (drill === undefined) return drills
  return new Map(drills).set(id, { ...drill, answered: [...drill.answered, confirmer] })
}

function withoutPast(drills: Drills, at: number): Drills {
  return new Map([...drills].filter(([, { decideBy }]) => decideBy >= at))
}
