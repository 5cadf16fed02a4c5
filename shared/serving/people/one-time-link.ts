// Links by which someone comes to a console once: to look at it as a person, or to make a passkey.
// Who makes one signs what it is for, so the server needs no secret of its own and no file, and
// cannot make one. It signs nothing else: no fact has such a name.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Catalog } from '#rules/catalog/catalog'
import { policyAdminRole } from '#rules/catalog/duties'
import { jsonOf } from '#record/canonical'
import { parseJson } from '#record/json'
import { signData } from '#record/crypto/private-key'
import { isSignedBy } from '#record/signature'
import type { Clock } from '#ports/clock'
import { Signature } from '#schemas/values'
import { Refusal } from '../problem.ts'

const LinkData = z.strictObject({
  for: z.enum(['sign_in', 'enrol']),
  person: z.string().min(1).max(256),
  /** Who made it. */
  by: z.string().min(1).max(256),
  /** The console that takes it. */
  origin: z.string().min(1).max(300),
  madeAt: z.int(),
  until: z.int(),
  nonce: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
})
export type LinkData = Readonly<z.infer<typeof LinkData>>

/** Longer ones would lie about. */
export const linkMsMax = 60 * 60_000
const usedMax = 10_000

/** Of the clocks of two machines. */
const aheadMsMax = 60_000

interface LinkOf extends Omit<LinkData, 'nonce'> {
  readonly log: string | null
  /** PEM of an Ed25519 key of who makes it. */
  readonly privateKey: string
}

/** What stands in the fragment of the link. */
export function madeLink({ log, privateKey, ...of }: LinkOf): string {
  const data: LinkData = { ...of, nonce: randomBytes(16).toString('base64url') }
  const signature = signData({ log, name: nameOfLink(data) }, jsonOf(data), privateKey)
  return [data, signature].map(textOf).join('.')
}

/** What it says, unproven; null where it cannot be read. */
function linkIn(text: string): { data: LinkData; signature: Signature } | null {
  const [data = '', signature = '', ...rest] = text.split('.')
  if (rest.length > 0) return null
  const said = LinkData.safeParse(valueOf(data))
  const signed = Signature.safeParse(valueOf(signature))
  return said.success && signed.success ? { data: said.data, signature: signed.data } : null
}

export interface OnlyOnce {
  /** Throws a Refusal 401 `sign_in_refused` for one that does not count here now. */
  proven(text: string, purpose: LinkData['for']): LinkData
  /** The same, which then counts no more. */
  taken(text: string, purpose: LinkData['for']): LinkData
}

export interface OnlyOnceOf {
  readonly known: () => { readonly catalog: Catalog; readonly log: string | null }
  readonly origin: () => string
  readonly clock: Clock
}

export function linksOnce({ known, origin, clock }: OnlyOnceOf): OnlyOnce {
  // What was made before this server began may have been taken there before.
  const since = clock.now() - aheadMsMax
  const used = new Map<string, number>()
  const proven = (text: string, purpose: LinkData['for']): LinkData => {
    const now = clock.now()
    const found = linkIn(text)
    if (found === null) throw refused('link_invalid')
    const { data } = found
    if (data.for !== purpose || data.origin !== origin()) throw refused('link_elsewhere')
    if (now >= data.until || data.until - data.madeAt > linkMsMax) throw refused('link_expired')
    if (data.madeAt > now + aheadMsMax || data.madeAt < since) throw refused('link_expired')
    if (!isSigned(known(), found)) throw refused('link_invalid')
    if (used.has(data.nonce)) throw refused('link_used')
    return data
  }
  return {
    proven,
    taken(text, purpose) {
      const data = proven(text, purpose)
      const now = clock.now()
      for (const [nonce, until] of used) if (now >= until) used.delete(nonce)
      if (used.size >= usedMax) throw refused('link_elsewhere')
      used.set(data.nonce, data.until)
      return data
    },
  }
}

function isSigned(
  { catalog, log }: ReturnType<OnlyOnceOf['known']>,
  { data, signature }: { readonly data: LinkData; readonly signature: Signature },
): boolean {
  const maker = catalog.principals.get(data.by)
  if (maker === undefined || maker.suspended) return false
  const isAdmin = maker.roles.includes(policyAdminRole)
  // To look at it as oneself takes one's own key; for anyone else a policy admin's.
  if (!isAdmin && (data.for !== 'sign_in' || data.by !== data.person)) return false
  return isSignedBy(maker.keys, { log, name: nameOfLink(data) }, jsonOf(data), signature)
}

/** No fact can have it: a name has no slash. */
function nameOfLink({ nonce }: Pick<LinkData, 'nonce'>): string {
  return `console/link/${nonce}`
}

function textOf(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}

function valueOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

function refused(reason: string): Refusal {
  const what = 'the link does not count here: have another one made'
  return new Refusal(401, 'sign_in_refused', what, { reason })
}
