// A person's answer that was signed elsewhere: it is bound as it was signed, by the same function
// and for the same refusals as an answer that is signed here. Whose it is is verified first: a name
// is used by whatever is bound under it.
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import { canonical, jsonOf } from '#record/canonical'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { isName, nameOf, token } from '#record/names'
import { noReview } from '#operations/found-review'
import { wasAsked } from '#operations/finding/theirs'
import type { Appended } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { DecisionData } from '#schemas/review'
import { decide } from './decide.ts'
import { signWith } from './signing.ts'

export interface SignedDecision {
  /** The name that the signature covers. */
  readonly name: string
  readonly data: DecisionData
}

/** The same again changes nothing. Throws a Fault `signature_needed`, or as `decide` does. */
export async function relayDecision(
  runtime: Runtime,
  { name, data: { signature, ...said } }: SignedDecision,
): Promise<Appended> {
  const { log, follower, clock } = runtime
  const { state } = follower
  const { confirmer: id, intent, answers, digest, note, batch, shown } = said
  const { address } = intent
  const of = { log: state.log, name }
  const content = jsonOf(said)
  const person = state.catalog.principals.get(id)
  const isSigned =
    signature !== undefined && isSignedByPerson(state.catalog, person, of, content, signature)
  if (!isSigned) {
    throw new Fault('signature_needed', `no key of \`${id}\` signed this for \`${name}\``)
  }
  // What is not the business of who asks is not there.
  if (!(await wasAsked({ log, state }, address, { id, now: clock.now() }))) throw noReview(address)
  const fact = isName(name) ? await log.get(name) : undefined
  const before = readData('decision', fact)
  const sent = canonical(jsonOf({ ...said, signature }))
  if (fact !== undefined && before !== null && canonical(jsonOf(before)) === sent) {
    return { appended: false, fact }
  }
  const number = state.intents.get(address)?.review?.number
  const now = number && nameOf(state.place, 'decision', address, number, token(id))
  if (now !== undefined && now !== name) {
    throw new Fault('signing_changed', `an answer is signed for \`${now}\` now: look at it again`)
  }
  const bound = await decide(runtime, {
    intent: address,
    confirmer: id,
    answers,
    digest,
    ...(note !== undefined && { note }),
    ...(batch !== undefined && { batch }),
    ...(said.for !== undefined && { for: said.for }),
    ...(shown !== undefined && { shown }),
    sign: signWith({ of, data: content }, signature),
  })
  return { appended: true, fact: bound }
}
