// Takes secrets out of texts: as they are, and as encodings that tools repeat them in. It must
// never leave a piece of one behind because a text was cut before.

const encodedBytes = 3

/** The spellings of a secret that are looked for; the longest first. */
function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const percent = encodeURIComponent(secret)
  const spellings = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll(/\r?\n/g, ' '),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Spellings(bytes),
  ]
  return [...new Set(spellings)].filter((each) => each.length > 1)
}

// What a secret becomes in the middle of something longer depends on how many bytes stand before
// it, modulo three; the characters at its edges also hold bits of its neighbours and are left.
function base64Spellings(bytes: Buffer): readonly string[] {
  const found: string[] = []
  for (let before = 0; before < encodedBytes; before += 1) {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const inner = text.slice(first, last)
    // Of a short secret too little is left to be it.
    if (inner.length >= 6) found.push(inner, inner.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return found
}

/** Matches every spelling of every secret; null where there is none. */
export function scrubPattern(secrets: Iterable<string>): RegExp | null {
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))]
  if (spellings.length === 0) return null
  const longestFirst = spellings.toSorted((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map(escaped).join('|'), 'g')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
