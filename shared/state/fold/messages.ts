// What a message makes of the state: it opens an intent, takes one back, or stops an agent. Any
// other message is read from the log when it is needed.
import { agentIn, partsInRealm, token, type NameParts } from '#record/names'
import { isMoving } from '#rules/catalog/cells'
import { judgedBy } from '#rules/chain/judged'
import type { MessageCheck } from '#messages/check'
import { isFrom, isInSession } from '#messages/sender'
import { agentStateOf, evolveBlock, openMax, openServedMax, withAgent } from '../agents.ts'
import { idCharactersMax, readMessage } from '#messages/opening'
import { erasThatMayHave, noteIdentifier, takeIdentifier, timeIn } from '../identifier-times.ts'
import { openIntent } from '../intent.ts'
import { allSlices } from '../slices/list.ts'
import { equalRequest, expectEqual } from '../requests.ts'
import { replacedBy, takenBack } from '../requests.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { State } from '../state.ts'
import type { Folded, LoggedFact } from '../folded.ts'

export function evolveMessage(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): Omit<Folded, 'parts'> {
  const address = parts.address ?? ''
  const timed = { address, time: timeIn(address) }
  noteIdentifier(state, timed.time)
  // Only an earlier era can have opened it: in this one its name is bound once.
  if (state.intents.has(address)) return { void: 'an intent of this address is open already' }
  const { catalog } = state
  const { check, opening } = caches?.messages.read(fact, catalog) ?? readMessage(fact, catalog)
  if (!check.isObject) return { void: 'it is not a JSON object' }
  if (opening === null) {
    return {
      void: sayingOther(state, fact, check),
      check,
      stopped: [...corrected(state, fact, check), ...evolveBlock(state, fact, check)],
    }
  }
  const agentState = agentStateOf(state, address)
  if (agentState.open >= openMax) return { void: `its agent has ${openMax} intents open` }
  const { void: uncounted, untimely } = takeIdentifier(state, timed)
  if (uncounted !== null) return { void: uncounted }
  const beyond = agentState.open >= openServedMax
  const said = check.message?.id ?? null
  const id = said === null || said.length > idCharactersMax ? null : said
  const agent = agentIn(address)
  const isWord = (): boolean => {
    const { message, outcome } = check
    if (message === null || outcome === 'fail') return false
    return isFrom(fact.name, message, state) && isInSession(fact.name, message)
  }
  const { of: equal, replaced } = beyond
    ? { of: {}, replaced: null }
    : equalRequest(state, address, opening.request, isWord)
  const isOwn = opening.request?.subject === undefined
  const judged = isOwn ? agent : token(judgedBy(catalog, opening))
  const intent = openIntent(address, fact, {
    id,
    beyond,
    lookIn: erasThatMayHave(state, timed),
    untimely,
    moving: isMoving(catalog, agent) ? true : undefined,
    request: equal.request,
    equalTo: equal.equalTo,
    unreasoned: equal.unreasoned,
    judged: judged === agent ? undefined : judged,
  })
  if (replaced !== null) {
    state.intents.set(replaced.address, replacedBy(state, replaced, fact.name))
  }
  state.intents.set(address, intent)
  expectEqual(state, intent)
  withAgent(state, agent, { ...agentState, open: agentState.open + 1 })
  return { void: null, check, ...(replaced !== null && { stopped: [replaced.address] }) }
}

const reading = allSlices.flatMap(({ message }) => message ?? [])

// What it says opens no intent, but may be of a slice.
function sayingOther(state: State, fact: LoggedFact, check: MessageCheck): string | null {
  for (const read of reading) {
    const why = read(state, fact, check)
    if (why !== null) return why
  }
  return null
}

// An agent that corrects what it asked for takes it back.
function corrected(state: State, fact: LoggedFact, { message }: MessageCheck): readonly string[] {
  if (message?.type !== 'correction' || !isFrom(fact.name, message, state)) return []
  if (!isInSession(fact.name, message)) return []
  const { refers_to: refs = null } = message
  const [, , , agent = '', session = ''] = fact.name.split('.')
  const addresses = (typeof refs === 'string' ? [refs] : (refs ?? [])).map((ref) => {
    const named = partsInRealm(ref, state.place.realm)?.address
    return named ?? addressWith(state, { prefix: `${agent}.${session}.`, id: ref })
  })
  const taken: string[] = []
  for (const address of new Set(addresses)) {
    const intent = state.intents.get(address)
    if (intent === undefined || agentIn(address) !== agent || intent.withdrawn !== null) continue
    state.intents.set(address, takenBack(state, intent, 'correction'))
    taken.push(address)
  }
  return taken
}

// A message of a session is named by the id that it gave itself, too.
function addressWith(
  { intents }: State,
  { prefix, id }: { readonly prefix: string; readonly id: string },
): string {
  if (prefix.endsWith('.-.')) return ''
  for (const [address, intent] of intents) {
    if (intent.id === id && address.startsWith(prefix)) return address
  }
  return ''
}
