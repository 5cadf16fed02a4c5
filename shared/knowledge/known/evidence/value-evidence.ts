// What a value is looked for in: what the agent was given, by whom, and what the catalog states of
// the results of each tool.
import type { Principal } from '#schemas/catalog'
import type { ListedThing, OwnNotes, ValueKind } from '#schemas/values'
import { noParts, type PartsInWords } from '../together/call-parts.ts'
import { thingsIn, type ThingListed } from '../listed-things.ts'
import { noTexts, type Act, type SourceOf } from '../named-texts.ts'
import { ownWordsIn, type OwnWords } from '../own-words.ts'
import { membersOf } from '../pointer.ts'
import {
  resultPointer,
  saidPartsOf,
  type Distrust,
  type SaidMessage,
  type SaidParts,
} from '../said-parts.ts'

/** An attribute of the agent or of its owner. */
export interface OwnAttribute {
  readonly principal: string
  readonly attribute: string
  readonly value: string
}

export function attributesOf(
  principals: readonly Pick<Principal, 'id' | 'attributes'>[],
): readonly OwnAttribute[] {
  return principals.flatMap(({ id: principal, attributes }) =>
    Object.entries(attributes).map(([attribute, value]) => ({ principal, attribute, value })),
  )
}

export interface ValueEvidence {
  readonly attributes: readonly OwnAttribute[]
  /** In log order. */
  readonly messages: readonly SaidMessage[]
  readonly untrusted: Distrust['untrusted']
  readonly isDriven: Distrust['isDriven']
  /** The things that results of that tool list. */
  readonly lists: (tool: string) => readonly ListedThing[]
  /** Whether results of that tool report what was done earlier. */
  readonly reports: (tool: string) => boolean
  readonly texts: SourceOf
  /** How results of that tool are the owner's own notes. */
  readonly notes: (tool: string) => OwnNotes | null
  /** The argument that names the folder whose files results of that tool list. */
  readonly folder: (tool: string) => string | null
  /** Where results of that tool show which day it is. */
  readonly today: (tool: string) => string | null
  /** What the agent asked to do in the session before. */
  readonly acts: readonly Act[]
  /** What people have agreed to in the session before. */
  readonly confirmed: readonly ConfirmedValue[]
  /** Whether a value is unknown of which people's own words speak only to bar it. */
  readonly heedsBars: boolean
  /** Whether amounts in people's own words are read that are written in words. */
  readonly readsNumbers: boolean
  /** Whether values may stand in the owner's own texts that people point to. */
  readonly readsNotes: boolean
}

/** A value that was not known, and that people agreed to in that review. */
export interface ConfirmedValue {
  readonly kind: ValueKind
  readonly value: string
  /** The tool for which it was agreed to. */
  readonly tool: string
  readonly review: string
  /** Who agreed, and when; absent under rules that do not state it. */
  readonly agreement?: { readonly by: readonly string[]; readonly at: number }
}

export const noEvidence: ValueEvidence = {
  attributes: [],
  messages: [],
  untrusted: () => null,
  isDriven: () => false,
  lists: () => [],
  reports: () => false,
  texts: noTexts,
  notes: () => null,
  folder: () => null,
  today: () => null,
  acts: [],
  confirmed: [],
  heedsBars: false,
  readsNumbers: false,
  readsNotes: false,
}

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
