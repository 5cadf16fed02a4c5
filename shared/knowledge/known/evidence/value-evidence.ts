// What a value is looked for in: what the agent was given, by whom, and what the catalog states of
// the results of each tool. It stands alone, so that who gathers it needs nothing of the search.
import type { Principal } from '#schemas/catalog'
import type { ListedThing, OwnNotes, ValueKind } from '#schemas/values'
import type { Act, SourceOf } from '../named-texts.ts'
import type { Distrust, SaidMessage } from '../said-parts.ts'

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
  texts: () => null,
  notes: () => null,
  folder: () => null,
  today: () => null,
  acts: [],
  confirmed: [],
  heedsBars: false,
  readsNumbers: false,
  readsNotes: false,
}
