// What a review demands of answers beside their number, in words.
import type { AnswerDemands } from '#schemas/people/demands'

/** Such as `a passkey; a reason to decline`. */
export function demandsText({
  signedWith,
  reason,
  differentServers,
  deputies,
}: AnswerDemands): string {
  return [
    ...(signedWith === 'passkey' ? ['a passkey'] : []),
    ...(signedWith === 'browser' ? ['a passkey, a key file or an enrolled browser'] : []),
    ...(reason === 'decline' ? ['a reason to decline'] : []),
    ...(reason === 'always' ? ['a reason'] : []),
    ...(differentServers === true ? ['answers through different servers'] : []),
    ...(deputies === true ? ['deputies may answer'] : []),
  ].join('; ')
}
