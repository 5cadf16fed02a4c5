// Why a token is refused, in words.
import type { TokenRefusal } from '#schemas/action/warrant'

const texts: Readonly<Record<TokenRefusal, string>> = {
  token_too_large: 'it is longer than any token',
  token_malformed: 'it is not a token in the one form that is read',
  token_algorithm: 'it is signed with another algorithm than EdDSA',
  token_type: 'it is not a warrant, by its type',
  token_key_unknown: 'it names a key that is not in the set',
  token_signature: 'the named key did not sign it',
  token_claims: 'it does not claim what a warrant claims',
  token_issuer: 'it names another issuer than the one whose key signed it',
  token_audience: 'it is for someone else',
  token_log: 'it is of another log or realm',
  token_not_yet: 'it is not valid yet',
  token_expired: 'its last moment has passed',
  chain_too_long: 'it was passed on more often than a warrant may be',
  chain_malformed: 'a link cannot be read, or claims what a link cannot',
  chain_parent: 'a link belongs to another token',
  chain_key: 'a link is signed by someone who did not hold the token',
  chain_signature: 'the holder’s key did not sign a link',
  chain_not_yet: 'a link is not valid yet',
  chain_expired: 'the last moment of a link has passed',
  chain_nothing_left: 'its links together permit nothing, or narrow what cannot be read',
  holder_missing: 'nothing shows who holds it',
  holder_other: 'it belongs to another principal',
  dpop_malformed: 'the proof of its holder cannot be read',
  dpop_key: 'the proof is by another key than the holder’s',
  dpop_signature: 'the key in the proof did not sign it',
  dpop_token: 'the proof is for another token',
  dpop_target: 'the proof is for another HTTP request or audience',
  dpop_stale: 'the proof is not of the present',
}

export function tokenText(code: TokenRefusal): string {
  return `refused (${code}): ${texts[code]}`
}
