// Grants as a program signs them: what is drawn up is shown with what it would have let through,
// and what is shown is signed as it is.
import type { GrantPreview } from '#schemas/action/grant'
import { grantLines } from '#present/story/grant'
import { grantPreviewLines } from '#present/action/grant-preview'
import { previewGrant } from '#runtime/grants/preview'
import type { SignsWith } from '#record/crypto/private-key'
import { grantToSign, signGrant, type GrantToSign } from '#runtime/grants/sign'
import type { Runtime } from '#runtime/engine/runtime'
import type { Fact } from '#ports/log'

export interface GrantRequest {
  /** The address of an intent about which people were asked: the grant answers that for others. */
  readonly intent: string
  /** Who answers; may answer that review, too. */
  readonly confirmer: string
  /** Which calls, in CEL, as in conditions of the catalog. */
  readonly when: string
  readonly uses: number
  /** For how long, in milliseconds; at most 366 days. */
  readonly forMs: number
  /** What they may come to together: `of` is CEL, such as `args.amount`. */
  readonly budget?: { readonly of: string; readonly max: string }
  /** The agent of the review if not given. */
  readonly agents?: readonly string[]
  /** Whether each cell of a realm has all of its uses and its budget. */
  readonly perCell?: true
  readonly note?: string
}

/** A grant as its signer is to see it. */
export interface ShownGrant extends GrantToSign {
  /** All that is signed, and below it what it would have let through. */
  readonly text: readonly string[]
  readonly preview: GrantPreview
}

/** Throws a Fault `grant_void` for one that would count for nothing. */
export async function showGrant(runtime: Runtime, request: GrantRequest): Promise<ShownGrant> {
  const { forMs, ...of } = request
  const until = runtime.clock.now() + forMs
  const toSign = await grantToSign(runtime, { ...of, until })
  const { log, follower, clock } = runtime
  const known = { log, state: follower.state, now: clock.now() }
  const preview = await previewGrant(known, toSign.grant)
  const { id, grant, askedStill } = toSign
  const text = [...grantLines(id, grant), ...grantPreviewLines(preview, askedStill)]
  return { ...toSign, text, preview }
}

export type GrantSigning = SignsWith & {
  readonly shown: Pick<ShownGrant, 'id' | 'grant'>
}

export function grantShown(runtime: Runtime, { shown, ...by }: GrantSigning): Promise<Fact> {
  return signGrant(runtime, shown, by)
}
