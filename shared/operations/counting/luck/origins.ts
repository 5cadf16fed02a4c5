// Where the values of a call had stood before it was asked: said by people, shown by the result of
// a call, or said by no one but the agent. What the agent itself has said is no news when a result
// repeats it, in whatever tool and however it is worded. Pure.
import { kindOfValue, isValueIn } from '#knowledge/known/kinds'
import { leavesBelow, tokensOf, wordsBelow } from '#knowledge/known/pointer'
import { saidPartsOf, resultPointer } from '#knowledge/known/said-parts'
import type { Distrust, SaidMessage, SaidParts } from '#knowledge/known/said-parts'
import type { ArgumentValue } from './argument-values.ts'

/** What the agent said: a request, or any other message of its own. */
export interface OwnSaying {
  readonly position: number
  readonly said: unknown
  /** Whether it asks for a tool that changes something. */
  readonly changes: boolean
}

export interface Before {
  /** Those whom the catalog trusts, in log order. */
  readonly messages: readonly (SaidMessage & { readonly position: number })[]
  readonly sayings: readonly OwnSaying[]
  /** The attributes of the agent and of its owners. */
  readonly own: readonly string[]
  readonly isReading: (tool: string) => boolean
  readonly isDriven: Distrust['isDriven']
  /** What others can have written in results of that tool; null where no one has stated it. */
  readonly untrusted: Distrust['untrusted']
}

/** Where a result shows the value as the whole of a member. */
export interface ReadPlace {
  readonly tool: string
  readonly sender: string
  /** Into the value of the result, with `*` for the items of a list. */
  readonly at: string
}

export interface LuckOrigin {
  readonly agentAlone: boolean
  readonly others: boolean
  readonly unread: boolean
  /** By calls that only read: then it names a thing. */
  readonly shown: readonly ReadPlace[]
}

interface Source extends SaidParts {
  readonly position: number
}

/** Finds the origin of one value after another, of one call. */
export function originsIn(before: Before): (value: ArgumentValue) => LuckOrigin {
  const { messages, own, isDriven, untrusted } = before
  const distrust = { untrusted: (tool: string) => untrusted(tool) ?? [], own, isDriven }
  const sources = messages.flatMap((message) => {
    const parts = saidPartsOf(message, distrust)
    return parts === null ? [] : [{ ...parts, position: message.position }]
  })
  const sayings = before.sayings.map(({ said, ...one }) => {
    return { ...one, texts: [...wordsBelow({ pointer: '', value: said })].map(({ text }) => text) }
  })
  return (value) => originOf(value, { ...before, sources, sayings })
}

interface Looking extends Omit<Before, 'sayings'> {
  readonly sources: readonly Source[]
  readonly sayings: readonly (Omit<OwnSaying, 'said'> & { readonly texts: readonly string[] })[]
}

const nothing: LuckOrigin = {
  agentAlone: false,
  others: false,
  unread: false,
  shown: [],
}

function originOf(value: ArgumentValue, looking: Looking): LuckOrigin {
  const { kind } = value
  const form = kindOfValue(kind).form(value.text)
  if (form === null) return nothing
  const { sources, own, isReading } = looking
  const isOf = (text: string): boolean => isValueIn(kind, form, text)
  const said = firstSaid(looking, isOf)
  const isOwned = own.some((text) => kindOfValue(kind).form(text) === form)
  const results = sources.filter(({ tool }) => tool !== null)
  const spoken = sources.some(({ tool, trusted }) => {
    return tool === null && trusted.some(({ text }) => isOf(text))
  })
  const news = results.filter(({ position }) => position < said.first)
  const isShown = ({ trusted, digests }: Source): boolean =>
    trusted.some(({ text }) => isOf(text)) || digests?.trusted(kind, form) !== undefined
  const isElsewhere = ({ untrusted, digests }: Source): boolean =>
    untrusted.some(({ text }) => isOf(text)) || digests?.untrusted(kind, form) !== undefined
  const isKnown = isOwned || spoken || news.some(isShown)
  const others = !isKnown && news.some(isElsewhere)
  const reads = results.filter(({ tool, position }) => {
    return isReading(tool ?? '') && position < said.firstChange
  })
  const shown = reads.flatMap((source) => shownIn(source, value, isOf))
  const isRead = shown.length > 0 || reads.some((one) => isNews(one, isOf) && isShown(one))
  return {
    agentAlone: !isKnown && !others,
    others,
    unread: !isOwned && !isRead,
    shown,
  }
}

/** When the agent said it first, and when it first asked with it for a change. */
function firstSaid({ sayings }: Looking, isOf: (text: string) => boolean) {
  const holding = sayings.filter(({ texts }) => texts.some(isOf))
  const firstOf = (of: readonly { readonly position: number }[]): number =>
    Math.min(Infinity, ...of.map(({ position }) => position))
  return { first: firstOf(holding), firstChange: firstOf(holding.filter(({ changes }) => changes)) }
}

/** Whether the call was not given it, so that its result is more than an echo. */
function isNews({ args }: Source, isOf: (text: string) => boolean): boolean {
  return ![...wordsBelow({ pointer: '', value: args ?? {} })].some(({ text }) => isOf(text))
}

/**
 * Members of the result that are just the value. Where the call was given it, something beside it
 * must be news: else the tool only repeats. A number names a thing only under
 * a name such as `id`.
 */
function shownIn(
  source: Source,
  { kind, text, isNumber, member }: ArgumentValue,
  isOf: (text: string) => boolean,
): readonly ReadPlace[] {
  const { message, tool, args, trusted } = source
  if (tool === null) return []
  const form = kindOfValue(kind).form(text)
  const given = new Set([...leavesBelow({ pointer: '', value: args ?? {} })].map((one) => one.text))
  const isFresh = isNews(source, isOf)
  return trusted.flatMap((leaf) => {
    if (kindOfValue(kind).form(leaf.text) !== form) return []
    const place = tokensOf(leaf.pointer.slice(resultPointer.length))
    if (isNumber && !isIdName(member)) return []
    const around = leaf.pointer.slice(0, leaf.pointer.lastIndexOf('/') + 1)
    const hasNews = (): boolean =>
      trusted.some((one) => one.pointer.startsWith(around) && !given.has(one.text))
    if (!isFresh && !hasNews()) return []
    const at = place.map((token) => (/^\d+$/.test(token) ? '/*' : `/${token}`)).join('')
    return [{ tool, sender: message.sender, at }]
  })
}

function isIdName(name: string): boolean {
  return /(?:^id|_id|Id|ID)$/.test(name)
}
