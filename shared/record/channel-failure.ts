// How a channel reports that it did not take a message. It must never hold the words of the other
// side, which repeat addresses and secrets.
import type { ChannelFailureCode } from '#schemas/outreach/notification'

/** Why a channel did not take a message: a code, and never the words of the other side. */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure'
  readonly code: ChannelFailureCode
  /** Whether the same may succeed later. */
  readonly mayPass: boolean

  constructor(code: ChannelFailureCode, mayPass: boolean) {
    super(code)
    this.code = code
    this.mayPass = mayPass
  }
}
