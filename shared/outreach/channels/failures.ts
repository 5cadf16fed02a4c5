// What all channels make of an error: a code, and whether the same may pass later. It must never
// let the words of another error out, which repeat addresses and secrets.
import { Fault } from '#record/fault'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { ChannelFailure, type LoadSecret } from '#ports/channels'
import type { ChannelFailureCode } from '#schemas/outreach/notification'
import type { ToolFailureCode } from '#schemas/action/tool-failure'

const exchanged: ReadonlyMap<ToolFailureCode, readonly [ChannelFailureCode, boolean]> = new Map([
  ['url_blocked', ['url_blocked', false]],
  ['unresolved', ['unresolved', true]],
  ['unreachable', ['unreachable', true]],
  ['timed_out', ['timed_out', true]],
  ['cancelled', ['timed_out', true]],
  ['connection_lost', ['connection_lost', true]],
])

/** Anything that was thrown, as a failure of a channel. */
export function channelFailureOf(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error
  const found = error instanceof ToolFailure ? exchanged.get(error.code) : undefined
  const [code, mayPass] = found ?? ['protocol_error', true]
  return new ChannelFailure(code, mayPass)
}

/** The value of the secret, or a failure that says no more than that it is not there. */
export async function secretOf(load: LoadSecret, name: string): Promise<string> {
  try {
    return await load(name)
  } catch (error) {
    const isMissing = error instanceof Fault && error.code === 'secret_missing'
    throw new ChannelFailure(isMissing ? 'secret_missing' : 'secret_invalid', false)
  }
}
