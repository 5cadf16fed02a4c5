// What a message makes of the world: it opens an intent, takes one back, or stops an agent. Any
// other message is read from the log when it is needed.
import { agentIn, partsInRealm, type NameParts } from '../../kernel/names.ts'
import type { MessageCheck } from '../../messages/check.ts'
import { isFrom, isInSession } from '../../messages/sender.ts'
import { agentStateOf, evolveBlock, openMax, openServedMax, withAgent } from '../agents.ts'
import { idCharactersMax, readMessage } from '../../messages/opening.ts'
import { openIntent } from '../intent.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { World } from '../world.ts'
import type { Folded, LoggedFact } from '../folded.ts'

export function evolveMessage(
  world: World,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): Omit<Folded, 'parts'> {
  const address = parts.address ?? ''
  // Only an earlier era can have opened it: in this one its name is bound once.
  if (world.intents.has(address)) return { void: 'an intent of this address is open already' }
  const { knownConstraints } = world.catalog
  const { check, opening } =
    caches?.messages.read(fact, knownConstraints) ?? readMessage(fact, knownConstraints)
  if (!check.isObject) return { void: 'it is not a JSON object' }
  if (opening === null) {
    return {
      void: null,
      check,
      stopped: [...corrected(world, fact, check), ...evolveBlock(world, fact, check)],
    }
  }
  const state = agentStateOf(world, address)
  if (state.open >= openMax) return { void: `its agent has ${openMax} intents open` }
  const beyond = state.open >= openServedMax
  const said = check.message?.id ?? null
  const id = said === null || said.length > idCharactersMax ? null : said
  world.intents.set(address, openIntent(address, fact, { id, beyond }))
  withAgent(world, agentIn(address), { ...state, open: state.open + 1 })
  return { void: null, check }
}

// An agent that corrects what it asked for takes it back.
function corrected(world: World, fact: LoggedFact, { message }: MessageCheck): readonly string[] {
  if (message?.type !== 'correction' || !isFrom(fact.name, message, world)) return []
  if (!isInSession(fact.name, message)) return []
  const { refers_to: refs = null } = message
  const [, , , agent = '', session = ''] = fact.name.split('.')
  const addresses = (typeof refs === 'string' ? [refs] : (refs ?? [])).map((ref) => {
    const named = partsInRealm(ref, world.place.realm)?.address
    return named ?? addressWith(world, { prefix: `${agent}.${session}.`, id: ref })
  })
  const taken: string[] = []
  for (const address of new Set(addresses)) {
    const intent = world.intents.get(address)
    if (intent === undefined || agentIn(address) !== agent || intent.withdrawn !== null) continue
    world.intents.set(address, { ...intent, withdrawn: 'correction' })
    taken.push(address)
  }
  return taken
}

// A message of a session is named by the id that it gave itself, too.
function addressWith(
  { intents }: World,
  { prefix, id }: { readonly prefix: string; readonly id: string },
): string {
  if (prefix.endsWith('.-.')) return ''
  for (const [address, intent] of intents) {
    if (intent.id === id && address.startsWith(prefix)) return address
  }
  return ''
}

/** After its verdict. */
export function closeIntent(world: World, address: string, caches?: FoldCaches): void {
  const intent = world.intents.get(address)
  if (intent === undefined) return
  world.intents.delete(address)
  caches?.messages.forget(intent.position)
  caches?.facts.forget(intent)
  const agent = agentIn(address)
  const state = agentStateOf(world, address)
  withAgent(world, agent, { ...state, open: Math.max(0, state.open - 1) })
}
