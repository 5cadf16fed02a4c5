// Channels: what takes a message to a person who is not here. A channel decides nothing and carries
// no right; it must never do more than notify.
import type { ChannelKind } from '#schemas/outreach/notification'
import type { ReachTarget } from '#schemas/outreach/reach'

export { ChannelFailure } from '#record/channel-failure'

export interface ChannelMessage {
  /** The same for each attempt, so that the other side can recognise a repetition. */
  readonly id: string
  /** One line, in which nothing is hidden. */
  readonly subject: string
  /** Paragraphs of plain text, in which nothing is hidden. */
  readonly lines: readonly string[]
  /** What it leads to; null for a trial. It carries no right. */
  readonly link: string | null
  /** Milliseconds since 1970: when it is sent, and from when on no one needs it. */
  readonly at: number
  readonly until: number
}

export interface ChannelDelivery {
  readonly target: ReachTarget
  readonly message: ChannelMessage
  /** The one deadline, and cancellation. */
  readonly signal: AbortSignal
}

/**
 * What every channel promises; `test/outreach/channels/channel-conformance.ts` has a case for each.
 *
 * - It must resolve only when the other side has taken the message, and must attempt it once:
 *   trying again is up to the caller.
 * - It must throw `ChannelFailure` and nothing else; `mayPass` only where the same may succeed
 *   later.
 * - It must settle soon after `signal` aborts, whatever the other side does; a delivery whose
 *   `signal` had aborted before must send nothing.
 * - A target of another channel, or one that cannot be used, is a failure `target_invalid`, and
 *   nothing is sent.
 * - It must connect only to addresses that the rules of `#firewall/url-rules` pass, and must
 *   follow no redirect.
 * - Text must stay text: no part of it becomes a header, markup, a mention or a link.
 * - A secret, an address or a word of the other side must never stand in what it throws.
 * - It may send an identifier by which a repetition is recognised, and must send no other of the
 *   person than what the target says.
 * - After `close` nothing that it opened is left, and a delivery fails with `mayPass`.
 */
export interface Channel {
  readonly kind: ChannelKind
  deliver(delivery: ChannelDelivery): Promise<void>
  close(): Promise<void>
}

/** The value of a secret by its name. Throws a Fault that names it. */
export type LoadSecret = (name: string) => Promise<string>
