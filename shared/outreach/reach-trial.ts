// Sends a trial message to every place where a person is reached: what each channel makes of it is
// reported, and nothing of it is in the log.
import { randomBytes } from 'node:crypto'
import type { Channel, ChannelMessage } from '#ports/channels'
import type { Timer } from '#ports/clock'
import type { ChannelFailureCode } from '#schemas/outreach/notification'
import type { Reach, ReachTarget } from '#schemas/outreach/reach'
import { deliveredTo } from './delivering.ts'

export interface TrialResult {
  readonly target: ReachTarget
  /** Null where it was taken; `not_set_up` where no such channel is here. */
  readonly failed: ChannelFailureCode | 'not_set_up' | null
}

const trialMsMax = 10 * 60_000

export async function triedReach(
  { channels, timer, now }: { channels: readonly Channel[]; timer: Timer; now: number },
  { targets }: Reach,
  words: Pick<ChannelMessage, 'subject' | 'lines'>,
): Promise<readonly TrialResult[]> {
  const id = randomBytes(13).toString('hex').toUpperCase()
  const message = { ...words, id, link: null, at: now, until: now + trialMsMax }
  const signal = new AbortController().signal
  return Promise.all(
    targets.map(async (target): Promise<TrialResult> => {
      const channel = channels.find(({ kind }) => kind === target.channel)
      if (channel === undefined) return { target, failed: 'not_set_up' }
      const of = { runtime: { timer }, signal }
      const [failed] = await deliveredTo(of, channel, { targets: [target], message })
      return { target, failed: failed?.failure.code ?? null }
    }),
  )
}
