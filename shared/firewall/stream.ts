// Redaction of a text that comes in chunks: what leaves is what redaction of the whole would show,
// wherever the chunks end. It holds back what a later chunk could still make sensitive, in bounded
// memory, and what is too long to hold is taken out.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import type { Json, JsonMap } from '#record/canonical'
import { findingsIn, kindsShown } from './detect/findings.ts'
import type { FoundKind } from './detect/span.ts'
import { isRow } from './facts.ts'
import { redact, redactedMark, withoutParts } from './redact.ts'
import type { Redacted, RedactOptions } from './redact.ts'
import type { FirewallWarning } from './warnings.ts'

/** In UTF-16 units. */
export const streamLimits = {
  /** Nothing but blocks and unbroken runs reaches over more. */
  held: 1_024,
  /** What was shown already and still says what follows it: key words. */
  before: 256,
  /** A run without white space, or a private key, that is longer is taken out. */
  runMax: 65_536,
}

/** Redacts one text. Give it the chunks in order, then `end`. */
export class TextStream {
  readonly #visible: ReadonlySet<FoundKind>
  /** Nothing is taken out, and nothing held back. */
  readonly #isOpen: boolean
  #before = ''
  #pending = ''
  /** Look again only where so much is there: each unit is looked at a bounded number of times. */
  #due = 2 * streamLimits.held
  /** Since a run was too long: what ends it. */
  #dropping: RegExp | null = null

  constructor(reveal: readonly ValueKind[] = [], redaction: Redaction = 'all') {
    this.#visible = kindsShown(reveal, redaction)
    this.#isOpen = redaction === 'none'
  }

  /** What may be shown by now; often nothing. */
  push(chunk: string): string {
    if (this.#isOpen) return chunk
    this.#pending += chunk
    if (this.#dropping !== null && !this.#dropped(this.#dropping)) return ''
    if (this.#pending.length < this.#due) return ''
    return this.#shown(false)
  }

  /** The rest. */
  end(): string {
    if (this.#dropping !== null) return ''
    const shown = this.#shown(true)
    this.#pending = ''
    return shown
  }

  /** Whether the run that is taken out has ended in what is there. */
  #dropped(ending: RegExp): boolean {
    const { index, 0: end } = ending.exec(this.#pending) ?? { index: -1, 0: '' }
    if (index === -1) {
      // The end may come in two chunks.
      this.#pending = this.#pending.slice(-blockEndLength)
      return false
    }
    this.#pending = this.#pending.slice(index + (ending === blockEnd ? end.length : 0))
    this.#dropping = null
    this.#before = ''
    return true
  }

  #shown(isLast: boolean): string {
    const text = this.#before + this.#pending
    const from = this.#before.length
    const parts = findingsIn(text, this.#visible).filter(({ end }) => end > from)
    let cut = isLast ? text.length : text.length - streamLimits.held
    if (!isLast) {
      cut = afterSpace(text, cut, from)
      const over = parts.find(({ start, end }) => start < cut && cut <= end)
      if (over !== undefined) cut = afterSpace(text, Math.max(from, over.start), from)
      if (cut <= from) return this.#tooLong(text.slice(from))
    }
    const clipped = parts.flatMap(({ start, end }) => {
      if (start >= cut) return []
      return [{ start: Math.max(0, start - from), end: Math.min(end, cut) - from }]
    })
    this.#pending = text.slice(cut)
    this.#before = text.slice(Math.max(0, cut - streamLimits.before), cut)
    this.#due = this.#pending.length + 2 * streamLimits.held
    return withoutParts(text.slice(from, cut), clipped)
  }

  /** Waits for more, or takes out what cannot be waited for. */
  #tooLong(pending: string): string {
    if (pending.length < streamLimits.runMax) {
      this.#due = 2 * pending.length
      return ''
    }
    const isBlock = pending.trimStart().startsWith('-----BEGIN')
    this.#dropping = isBlock ? blockEnd : /\s/
    this.#due = 2 * streamLimits.held
    this.#dropped(this.#dropping)
    return redactedMark
  }
}

const blockEnd = /-----END[^\n]{0,60}?-----/
const blockEndLength = 80

/** The last place at or before `cut` that follows white space, or `from`. */
function afterSpace(text: string, cut: number, from: number): number {
  for (let at = cut; at > from; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) return at
  }
  return from
}

/** Redacts the parts of a result that streams: texts, and the texts of each part's members. */
export interface StreamRedactor {
  push(part: Json): Redacted
  /**
   * What was held back: a text, an object by member, a list of both; null where nothing was.
   */
  end(): Redacted
}

const membersMax = 256

/** `options` are those of `redact`. A stream of more members than can be held drops the others. */
export function streamRedactor(options: RedactOptions = {}): StreamRedactor {
  const { reveal = [], redaction = 'all' } = options
  const streams = new Map<string, TextStream>()
  const streamOf = (name: string): TextStream | null => {
    const known = streams.get(name)
    if (known !== undefined || streams.size >= membersMax) return known ?? null
    const made = new TextStream(reveal, redaction)
    streams.set(name, made)
    return made
  }
  const pushed = (name: string, text: string): string => streamOf(name)?.push(text) ?? ''
  return {
    push: (part) => {
      if (typeof part === 'string') return { value: pushed('', part), warnings: [] }
      if (!isRow(part)) return redact(part, options)
      const texts = new Map<string, string>()
      const { value, warnings } = redact(withoutTexts(part, texts), options)
      if (!isRow(value)) return { value, warnings }
      const members = Object.entries(value).map(([key, member]) => {
        const text = texts.get(key)
        const isText = text !== undefined && member === placeholder
        return [key, isText ? pushed(`/${key}`, text) : (member ?? null)] as const
      })
      return { value: Object.fromEntries(members), warnings }
    },
    end: () => {
      const ended = [...streams].flatMap(([name, stream]) => {
        const rest = stream.end()
        return rest === '' ? [] : [[name, rest] as const]
      })
      streams.clear()
      const warnings: FirewallWarning[] = []
      if (ended.length === 0) return { value: null, warnings }
      const whole = ended.find(([name]) => name === '')?.[1]
      const members = ended.filter(([name]) => name !== '')
      const named = Object.fromEntries(
        members.map(([name, rest]) => [name.slice(1), rest] as const),
      )
      if (whole === undefined) return { value: named, warnings }
      // Texts came by themselves and as members, too.
      return { value: members.length === 0 ? whole : [whole, named], warnings }
    },
  }
}

// Stands where a text of a member stood, while names and depth are judged.
const placeholder = ''

function withoutTexts(part: JsonMap, texts: Map<string, string>): Json {
  const members: readonly (readonly [string, Json])[] = Object.entries(part).map(
    ([key, member]) => {
      if (typeof member !== 'string') return [key, member ?? null] as const
      texts.set(key, member)
      return [key, placeholder] as const
    },
  )
  return Object.fromEntries(members)
}
