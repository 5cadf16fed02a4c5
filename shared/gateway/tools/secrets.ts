// Secrets of a gateway: named by the catalog, held by the environment or by files, and given to
// drivers alone. A value must never stand in an error, a description or a log.
import { join } from 'node:path'
import { secretText } from '#system/secret-file'
import { scrubbed, withoutMatches } from '#rules/drivers/answer-reading'
import type { FilledText } from '#rules/drivers/filling'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { Fault } from '#record/fault'
import type { JsonValue } from '#schemas/catalog'

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

export interface SecretSources {
  /** Variables; those called `WARRANT_SECRET_<NAME>` are read. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The folder of files called `<NAME>`. */
  readonly folder: string | null
}

export interface Secrets {
  /** The value, read again at each call. Throws a Fault that names the reference. */
  load(name: string): Promise<string>
  /** The text with the values. Throws a `ToolFailure` that names the reference. */
  filled(text: FilledText): Promise<string>
  /** Whether none was loaded. */
  holdsNone(): boolean
  /** The text without the value of any secret that was loaded. */
  scrub(text: string): string
  scrubValue(value: JsonValue): JsonValue
  /** The source of what `scrub` looks for; null where no secret was loaded. */
  pattern(): string | null
}

const prefix = 'WARRANT_SECRET_'
const namePattern = /^[A-Z][A-Z0-9_]{0,63}$/
/** A shorter one may be a word of any text; a longer one is no credential. */
const lengthMin = 6
export const secretBytesMax = 16_384
/** How many values are kept for `scrub`: more than are in use while they are rotated. */
const keptMax = 1000

export function toolSecrets(sources: SecretSources): Secrets {
  const kept = new Set<string>()
  let pattern: RegExp | null = null
  const load = async (name: string): Promise<string> => {
    const value = await valueOf(name, sources)
    if (!kept.has(value)) {
      const [oldest] = kept
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.add(value)
      pattern = scrubPattern(kept)
    }
    return value
  }
  const scrub = (text: string): string => {
    return pattern === null ? text : text.replaceAll(pattern, scrubbed)
  }
  return {
    load,
    holdsNone: () => pattern === null,
    scrub,
    scrubValue: (value) => (pattern === null ? value : withoutMatches(value, pattern)),
    pattern: () => pattern?.source ?? null,
    async filled(text) {
      const parts: string[] = []
      for (const part of text) {
        parts.push(typeof part === 'string' ? part : await loaded(part.secret, load))
      }
      return parts.join('')
    },
  }
}

async function loaded(name: string, load: Secrets['load']): Promise<string> {
  try {
    return await load(name)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const code = error.code === 'secret_missing' ? 'secret_missing' : 'secret_invalid'
    throw new ToolFailure(code, 'no', { secret: name })
  }
}

async function valueOf(name: string, { variables, folder }: SecretSources): Promise<string> {
  if (!namePattern.test(name)) throw missing(name, folder)
  const given = variables[`${prefix}${name}`] ?? ''
  const value = given === '' ? await fromFile(name, folder) : given
  if (value.length < lengthMin) {
    throw new Fault('secret_invalid', `\`${name}\` has fewer than ${lengthMin} characters`)
  }
  if (Buffer.byteLength(value) > secretBytesMax) {
    throw new Fault('secret_invalid', `\`${name}\` has more than ${secretBytesMax} bytes`)
  }
  return value
}

async function fromFile(name: string, folder: string | null): Promise<string> {
  if (folder === null) throw missing(name, folder)
  try {
    const text = await secretText(join(folder, name), `the secret \`${name}\``)
    return text.replace(/\r?\n$/, '')
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { cause } = error
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(name, folder)
    throw new Fault('secret_invalid', error.message, { cause })
  }
}

function missing(name: string, folder: string | null): Fault {
  const file = folder === null ? '' : `, or write the file \`${join(folder, name)}\``
  return new Fault('secret_missing', `no secret \`${name}\`: set \`${prefix}${name}\`${file}`)
}
