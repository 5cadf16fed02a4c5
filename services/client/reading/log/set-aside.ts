// Jobs that a stage has set aside, as faults in the log report them. Whether one is still open is
// what the fold says.
import { partsInRealm, patternsOf } from '#record/names'
import { readEvent } from '#record/event'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'

/** A job that was set aside, as the log reports it. */
export interface AsideJob {
  /** Of the fault, and its name. */
  readonly position: number
  readonly name: string
  readonly queue: string
  /** The fact that was the job, and the intent that it is about. */
  readonly about: string
  readonly intent: string | null
  readonly code: string
  readonly message: string
  readonly attempts: number
  readonly appendedAt: string
  /** Whether its intent has no verdict yet. */
  readonly open: boolean
}

export function faultFacts({ log, follower }: Runtime): AsyncIterable<Fact> {
  return log.read({}, patternsOf(follower.state.place, 'fault', '*', '*'))
}

/** What a fact of that kind says; of one that cannot be believed only its name. */
export function asideJob({ place, follower }: Runtime, fact: Fact): AsideJob {
  const { position, name } = fact
  const [queue = '', at = ''] = partsInRealm(name, place.realm)?.tokens ?? []
  const appendedAt = new Date(fact.appendedAt).toISOString()
  const found = { position, name, queue, appendedAt }
  const reading = readEvent('fault', fact)
  const said = reading.ok ? reading.event.data : null
  if (said === null || said.queue !== queue || String(said.position) !== at) {
    const message = reading.ok ? 'it says another job than its name' : reading.why
    const unknown = { about: '', intent: null, attempts: 0, open: false }
    return { ...found, ...unknown, code: 'unreadable', message }
  }
  const { name: about, code, message, attempts } = said
  const intent = partsInRealm(about, place.realm)?.address ?? null
  const open = intent !== null && follower.state.intents.has(intent)
  return { ...found, about, intent, code, message, attempts, open }
}
