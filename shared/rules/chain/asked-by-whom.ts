// The rules about who asks and for what, before what is asked is looked at: an agent and a
// capability that the catalog has, and that no one has stopped.
import type { ReasonParams } from '#schemas/reasons'
import { short } from '#record/quote'
import type { Case } from './rule-input.ts'

type Finding = ReasonParams

const none: readonly Finding[] = []
const nameCharactersMax = 256

// Not even reading is free to an agent that the catalog does not have.
export function unknownAgent(of: Case): readonly Finding[] {
  const { message, agent, evaluation } = of
  if (message === undefined || message.malformed || !message.senderMatches) return none
  if ((evaluation === undefined ? of.principal : evaluation.caller) !== null) return none
  return [agent === undefined ? {} : { principal: short(agent, nameCharactersMax) }]
}

export function agentMoving({ moving }: Case): readonly Finding[] {
  return moving === true ? [{}] : none
}

export function otherCell({ elsewhere }: Case): readonly Finding[] {
  if (elsewhere === undefined || elsewhere === null) return none
  return [elsewhere.cell === null ? {} : { cell: elsewhere.cell }]
}

export function agentSuspended(of: Case): readonly Finding[] {
  const { principal, evaluation, standing, askerStanding } = of
  const caller = evaluation?.caller
  const all = caller?.id === principal?.id ? [principal] : [caller, principal]
  const found = all.flatMap((one) => (one?.suspended === true ? [{ principal: one.id }] : none))
  if (found.length > 0) return found
  if (askerStanding !== null && askerStanding !== undefined) {
    const asker = caller === null || caller === undefined ? {} : { principal: caller.id }
    return [{ ...asker, cause: 'standing', standing: askerStanding }]
  }
  if (standing?.level !== 'suspended') return none
  const who = principal === null || principal === undefined ? {} : { principal: principal.id }
  return [{ ...who, cause: 'standing', standing: standing.value }]
}

// What it has earned does not do for this call, and no one can confirm it.
export function standingRefused({ standing, capability }: Case): readonly Finding[] {
  if (standing?.refuses !== true || capability === undefined || capability === null) return none
  const { level, value } = standing
  return [{ tool: capability.id, level, standing: value }]
}

// Whether there is such a subject at all is not the business of who may not ask about it.
export function subjectRefused({ evaluation }: Case): readonly Finding[] {
  const cause = evaluation?.refusal ?? null
  return cause === null ? none : [{ cause, path: '/subject' }]
}

export function tooManyOpen({ openMax }: Case): readonly Finding[] {
  return openMax === undefined || openMax === null ? none : [{ max: openMax }]
}

export function unknownCapability({ capability, request }: Case): readonly Finding[] {
  if (capability !== null) return none
  const { tool } = request ?? {}
  return [tool === undefined ? {} : { tool: short(tool, nameCharactersMax) }]
}

export function capabilitySuspended({ capability }: Case): readonly Finding[] {
  return capability?.suspended === true ? [{ tool: capability.id }] : none
}
