// What several confirmations demand together of the answers to one review: whatever one of them
// does, and a browser's key or a deputy only where all admit it.
import type { AnswerDemands } from '#schemas/people/demands'
import type { Confirming } from '../catalog.ts'

/** Only what it demands: a review without any is written as if there were no such thing. */
export function demandsBy({
  signedWith,
  reason,
  differentServers,
  deputies,
}: AnswerDemands & Pick<Confirming, 'tier'>): AnswerDemands {
  return {
    ...(signedWith !== undefined && { signedWith }),
    ...(reason !== undefined && { reason }),
    ...(differentServers !== undefined && { differentServers }),
    ...(deputies !== undefined && { deputies }),
  }
}

/** Whether an answer needs a reason, one that declines or another. */
export function demandsReason({ reason }: AnswerDemands, declines: boolean): boolean {
  return reason === 'always' || (reason === 'decline' && declines)
}

export function bothDemands(one: AnswerDemands, other: AnswerDemands): AnswerDemands {
  const ways = [one.signedWith, other.signedWith]
  const isBrowser = ways.every((way) => way === 'browser')
  const reasons = [one.reason, other.reason]
  return {
    ...(ways.includes('passkey') && { signedWith: 'passkey' }),
    ...(isBrowser && { signedWith: 'browser' }),
    ...(reasons.includes('decline') && { reason: 'decline' }),
    ...(reasons.includes('always') && { reason: 'always' }),
    ...((one.differentServers ?? other.differentServers) === true && { differentServers: true }),
    ...(one.deputies === true && other.deputies === true && { deputies: true }),
  }
}

export function isSameDemands(one: AnswerDemands = {}, other: AnswerDemands = {}): boolean {
  return (
    one.signedWith === other.signedWith &&
    one.reason === other.reason &&
    one.differentServers === other.differentServers &&
    one.deputies === other.deputies
  )
}
