// What a signature covers, computed here from the content that the person sees. A challenge that a
// server sends is never signed.
import { canonical, jsonOf, type Json } from '#record/canonical'
import { coveredBy } from '#rules/chain/review-content'
import type { ReviewData } from '#schemas/review'
import { PageProblem } from '../shell/requests.ts'

/** A fact that someone is to sign: its content, its name, and the log that it is for. */
export interface Signable {
  readonly of: { readonly log: string | null; readonly name: string }
  readonly data?: unknown
}

type Bytes = Uint8Array<ArrayBuffer>

function bytesOf(value: Json): Bytes {
  return new TextEncoder().encode(canonical(value))
}

export async function sha256Of(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Of canonical JSON, as facts spell it. */
export function digestHere(value: Json): Promise<string> {
  return spelled(bytesOf(value))
}

export function digestOfText(text: string): Promise<string> {
  return spelled(new TextEncoder().encode(text))
}

async function spelled(bytes: Bytes): Promise<string> {
  const hex = Array.from(await sha256Of(bytes), (byte) => byte.toString(16).padStart(2, '0'))
  return `sha256:${hex.join('')}`
}

/** The bytes that a key signs. */
export function signedBytesOf({ of, data }: Signable): Bytes {
  return bytesOf({ data: jsonOf(data), log: of.log, name: of.name })
}

/** What a passkey is to sign. */
export function signableChallenge(toSign: Signable): Promise<Bytes> {
  return sha256Of(signedBytesOf(toSign))
}

/** Refuses a review whose digest is not that of what it shows. */
export async function checkReview(review: ReviewData): Promise<void> {
  const covered = coveredBy({ ...review, agent: review.intent.agent })
  if ((await digestHere(covered)) !== review.digest) throw new PageProblem('other_digest')
}

export interface ExpectedContent {
  /** How the fact's name begins. */
  readonly name: string
  readonly log: string | null
  readonly data: Json
}

/** Refuses to sign anything but what the page expects, from anyone. */
export function checkContent({ of, data }: Signable, expected: ExpectedContent): void {
  const isSame = canonical(jsonOf(data)) === canonical(expected.data)
  const isNamed = of.name.startsWith(expected.name) && of.log === expected.log
  if (!isSame || !isNamed) throw new PageProblem('other_content')
}
