// Placeholders for what chance makes: keys, seeds, digests of both, ids. Each is numbered by its
// first place in a text, so that the same value shows as the same.
const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['token', /\bwrt_[\w-]{20,}/g],
  ['jwt', /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g],
  ['digest', /\bsha256:[0-9a-f]{64}\b/g],
  ['public key', /\bed25519:[\w-]{40,}/g],
  ['seed', /(?<![A-Z2-7])S[A-Z][A-Z2-7]{56}\b/g],
  ['nkey', /(?<![A-Z2-7])U[A-Z2-7]{55}\b/g],
  ['short nkey', /\bU[A-Z2-7]{7}…/g],
  ['id', /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g],
  ['short id', /(?<=warrant approve )[0-9A-HJKMNP-TV-Z]{8}\b/g],
  ['signature', /(?<=")[\w-]{86}(?=")/g],
  ['hex', /\b[0-9a-f]{64}\b/g],
  ['base64', /\b[A-Za-z0-9+/]{60,64}={0,2}(?=\n)/g],
  ['base64url', /(?<=["/ ])[\w-]{43}(?=[" \n])/g],
  ['key id', /(?<=(?:keyId|key|root|kid|jkt)\W{1,4})[\w-]{16}(?![\w-])/g],
  ['mark', /(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])/g],
]

export function withoutChance(text: string): string {
  let found = text
  for (const [name, pattern] of kinds) {
    const numbers = new Map<string, number>()
    found = found.replaceAll(pattern, (value) => {
      const number = numbers.get(value) ?? numbers.size + 1
      numbers.set(value, number)
      return `<${name} ${number}>`
    })
  }
  return found
}
