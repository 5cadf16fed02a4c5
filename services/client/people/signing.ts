// Signing in two steps, for a person whose key is elsewhere: first everything is done but the
// signature, and what is to be signed comes back; then it is done again with the signature that was
// made meanwhile. It counts for exactly that: where anything has changed, nothing is bound.
import { challengeOf } from '#rules/catalog/people/signed-words'
import { canonical, jsonOf, type Json } from '#record/canonical'
import { Fault } from '#record/fault'
import type { SignedFor, Sign } from '#record/signature'
import type { Signature } from '#schemas/values'

/** What is to be signed. */
export interface Unsigned {
  readonly of: SignedFor
  readonly data: Json
  /** What a passkey signs: 32 bytes as base64url. */
  readonly challenge: string
}

/**
 * What doing it would have signed; nothing is bound. `run` does it with the signer that it is
 * given, and what it throws is thrown.
 */
export async function unsignedOf(run: (sign: Sign) => Promise<unknown>): Promise<Unsigned> {
  try {
    await run((of, data) => {
      throw new Stopped(of, data)
    })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const { of, data } = error
    const challenge = challengeOf(of, data)
    if (challenge === null) throw new Fault('not_json', 'what is to be signed is no JSON')
    return { of, data, challenge: Buffer.from(challenge).toString('base64url') }
  }
  throw new Fault('signing_changed', 'nothing is to be signed any more: look at it again')
}

/** Ends what is done before anything is bound. */
class Stopped extends Error {
  readonly of: SignedFor
  readonly data: Json

  constructor(of: SignedFor, data: Json) {
    super('to be signed elsewhere')
    this.of = of
    this.data = data
  }
}

/** Signs just that; for anything else it throws a Fault `signing_changed`. */
export function signWith({ of, data }: Pick<Unsigned, 'of' | 'data'>, signature: Signature): Sign {
  const agreed = textOf(of, data)
  return (nowOf, nowData) => {
    if (textOf(nowOf, nowData) === agreed) return signature
    const what = 'what was signed is not what would be bound now'
    throw new Fault('signing_changed', `${what}: look at it again`)
  }
}

function textOf({ log, name }: SignedFor, data: Json): string {
  return canonical(jsonOf({ data, log, name }))
}
