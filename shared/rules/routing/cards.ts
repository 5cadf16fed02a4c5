// Cards: what an agent is shown of a capability before it picks one. Never its schema, and no more
// than a card's share of a prompt.
import type { Capability } from '#schemas/catalog'
import type { SafetyClass } from '#schemas/rules/terms'
import { idParts } from './namespaces.ts'

export interface Card {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly safety: SafetyClass
  /** Whether it takes arguments. */
  readonly hasSchema: boolean
  readonly score: number
}

export const cardTokens = 60
/** A card that is larger with an empty description is left out. */
export const cardTokensMax = 80
const nameCharactersMax = 64
const tagsMax = 5
const tagCharactersMax = 24

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{So}]/u
const isAscii = /^[\0-\x7F]*$/
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** About as many tokens as a model reads: a quarter of its characters, and each wide one whole. */
export function tokensIn(text: string): number {
  if (isAscii.test(text)) return Math.floor(text.length / 4)
  let [narrow, whole] = [0, 0]
  for (const character of text) {
    if (wide.test(character)) whole += 1
    else narrow += 1
  }
  return whole + Math.floor(narrow / 4)
}

/** The tokens of a card as a program sends it. */
export function tokensOfCard(card: Card): number {
  return tokensIn(JSON.stringify(card))
}

/** Null where the card is too large even without a description. */
export function cardOf(capability: Capability, score: number): Card | null {
  const { id, safetyClass, argsSchema } = capability
  const bare = {
    id,
    name: cut(oneLine(capability.name ?? idParts(id).at(-1) ?? id), nameCharactersMax),
    description: '',
    tags: capability.tags.slice(0, tagsMax).map((tag) => cut(oneLine(tag), tagCharactersMax)),
    safety: safetyClass,
    hasSchema: takesArguments(argsSchema),
    score,
  }
  const described = withDescription(bare, oneLine(capability.description))
  if (tokensOfCard(described) <= cardTokensMax) return described
  const untagged = { ...bare, tags: [] }
  return tokensOfCard(untagged) <= cardTokensMax ? untagged : null
}

function takesArguments(schema: Capability['argsSchema']): boolean {
  return (
    schema['additionalProperties'] !== false || Object.keys(schema['properties'] ?? {}).length > 0
  )
}

/** As many whole sentences as fit; else as much of the first as does. */
function withDescription(bare: Card, text: string): Card {
  const whole = { ...bare, description: text }
  if (tokensOfCard(whole) <= cardTokens) return whole
  const ends = [...text.matchAll(/[.!?](?= )/g)].map(({ index }) => index + 1)
  for (const end of ends.toReversed()) {
    const card = { ...bare, description: text.slice(0, end) }
    if (tokensOfCard(card) <= cardTokens) return card
  }
  return { ...bare, description: longestFitting(bare, Array.from(text)) }
}

function longestFitting(bare: Card, characters: readonly string[]): string {
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const description = `${characters.slice(0, middle).join('').trimEnd()}…`
    if (tokensOfCard({ ...bare, description }) <= cardTokens) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${characters.slice(0, low).join('').trimEnd()}…`
}

function oneLine(text: string): string {
  return text.replace(unseen, ' ').replace(/\s+/g, ' ').trim()
}

function cut(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
