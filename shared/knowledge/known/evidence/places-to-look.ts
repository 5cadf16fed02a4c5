// Where the values of a call are looked for: each message and what it only repeats, and what is
// worked out of them at most once.
import type { ValueKind } from '#schemas/values'
import { noParts, type PartsInWords } from '../together/call-parts.ts'
import { thingsIn, type ThingListed } from '../listed-things.ts'
import { ownWordsIn, type OwnWords } from '../own-words.ts'
import { membersOf } from '../pointer.ts'
import { resultPointer, saidPartsOf, type SaidMessage, type SaidParts } from '../said-parts.ts'
import type { ValueEvidence } from './value-evidence.ts'

/** With what it only repeats: what its own call was given, and of a report those before it. */
export interface GivenSource extends SaidParts {
  readonly repeats: readonly object[]
  /** What its own call and all before it were given. */
  readonly given: readonly object[]
}

export interface Places extends Pick<
  ValueEvidence,
  | 'attributes'
  | 'lists'
  | 'texts'
  | 'notes'
  | 'folder'
  | 'acts'
  | 'confirmed'
  | 'heedsBars'
  | 'readsNumbers'
  | 'readsNotes'
> {
  readonly sources: readonly GivenSource[]
  /** The attributes alone. */
  readonly ownForms: readonly string[]
  /** What people said, in words. */
  readonly own: () => readonly Speaking[]
  /** The things of which others can have written what they are called. */
  readonly foreign: () => readonly ThingListed[]
  /** The one day that results show as today. */
  readonly day: () => string | null
  /** The values of the call that belong together as people's words pair them. */
  readonly parts: () => PartsInWords
  /** The values of the call. */
  readonly call: readonly { readonly kind: ValueKind; readonly form: string }[]
}

export interface Speaking {
  readonly source: SaidParts
  readonly words: OwnWords
}

function ownWordsOf(sources: readonly SaidParts[]): readonly Speaking[] {
  return sources
    .filter(({ tool }) => tool === null)
    .map((source) => {
      const texts = source.trusted.map(({ text }) => text)
      return { source, words: ownWordsIn(source.message.name, texts) }
    })
}

export function placesToLook(evidence: ValueEvidence): Places {
  const { attributes, messages, untrusted, isDriven, reports } = evidence
  const own = attributes.map(({ value }) => value)
  const sources: GivenSource[] = []
  const given: object[] = []
  for (const message of messages) {
    const source = saidPartsOf(message, { untrusted, own, isDriven })
    const args = argsIn(message)
    const isReport = source?.tool !== undefined && source.tool !== null && reports(source.tool)
    const repeats = [...(isReport ? given : []), ...(args === null ? [] : [args])]
    if (args !== null) given.push(args)
    if (source !== null) sources.push({ ...source, repeats, given: given.slice() })
  }
  const foreign = once(() =>
    sources.flatMap((source) =>
      thingsIn(
        source,
        evidence.lists(source.tool ?? '').filter((list) => list.foreign === true),
      ),
    ),
  )
  const said = once(() => ownWordsOf(sources))
  const day = once(() => dayIn(sources, evidence.today))
  const call = { parts: () => noParts, call: [] }
  return { ...evidence, sources, own: said, foreign, day, ownForms: own, ...call }
}

/** Made when it is first asked for, and then kept for all values of the call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly of: T } | null = null
  return () => (made ??= { of: make() }).of
}

/** What the call was given of which the message is a result, or a failure. */
function argsIn({ payload }: SaidMessage): object | null {
  const members = new Map(membersOf(payload))
  const args = members.get('args')
  return members.has('tool') && typeof args === 'object' ? args : null
}

/** The one day that results show as today. */
function dayIn(sources: readonly SaidParts[], today: ValueEvidence['today']): string | null {
  const days = new Set(
    sources.flatMap(({ tool, trusted, listed = trusted }) => {
      const pointer = today(tool ?? '')
      if (pointer === null) return []
      const leaf = listed.find((one) => one.pointer === `${resultPointer}${pointer}`)
      return leaf === undefined ? [] : leaf.text.trim()
    }),
  )
  const [day] = days
  if (day === undefined || days.size !== 1) return null
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null
}
