// The shortlist: for a goal, the cards of the capabilities that fit it best, within a budget of
// tokens. Selection is not permission: who asks plays no part here, and nothing that judges an
// intent reads it.
import type { Capability } from '#schemas/catalog'
import { candidatesMax } from '#schemas/action/routing'
import { cardOf, tokensOfCard, type Card } from './cards.ts'
import { isInNamespace, namespaceOf } from './namespaces.ts'
import { indexOf, scoresFor } from './ranking.ts'

export interface ShortlistOptions {
  /** How many cards at most: 10 if not given, and never more than 20. */
  readonly max?: number
  /** For all cards together, in tokens: 2 000 if not given. */
  readonly budget?: number
  /** Only these namespaces and what is below them. */
  readonly namespaces?: readonly string[]
  /** Only what has one of these tags. */
  readonly tags?: readonly string[]
  /** Ids and tags that are left out. */
  readonly exclude?: readonly string[]
}

export interface Shortlist {
  /** Best first, ties by id: the same catalog and goal give the same bytes. */
  readonly cards: readonly Card[]
  /** How many capabilities have a word of the goal, before filters and budget. */
  readonly matched: number
  /** Of these, how many the filters left out. */
  readonly filtered: number
  /** Of these, how many are suspended. */
  readonly suspended: number
  /** Whether the first two are too close to choose by score. */
  readonly isAmbiguous: boolean
  /** What separates the closest: their namespaces, or their ids where these are equal. */
  readonly between: readonly string[]
}

const cardsDefault = 10
const budgetDefault = 2_000
/** The least distance of the second from the first, as a part of the first. */
const gapMin = 0.1

export function shortlist(
  capabilities: ReadonlyMap<string, Capability>,
  goal: string,
  options: ShortlistOptions = {},
): Shortlist {
  const { max = cardsDefault, budget = budgetDefault } = options
  const index = indexOf(capabilities)
  const counts = { matched: 0, filtered: 0, suspended: 0 }
  const best = bestOf(candidatesMax)
  for (const [at, score] of scoresFor(index, goal).entries()) {
    if (score === 0) continue
    const capability = capabilities.get(index.ids[at] ?? '')
    if (capability === undefined) continue
    counts.matched += 1
    if (capability.suspended === true) counts.suspended += 1
    else if (!passes(capability, options)) counts.filtered += 1
    else best.take({ capability, score })
  }
  const close = closest(best.taken)
  return {
    cards: cardsWithin(best.taken, { max, budget }),
    ...counts,
    isAmbiguous: close.length > 1,
    between: separating(close),
  }
}

interface Ranked {
  readonly capability: Capability
  readonly score: number
}

/** Keeps the best of those that come, in the order of ids. */
function bestOf(max: number) {
  const taken: Ranked[] = []
  const take = (one: Ranked): void => {
    if (taken.length === max && (taken.at(-1)?.score ?? 0) >= one.score) return
    const place = taken.findIndex(({ score }) => score < one.score)
    taken.splice(place === -1 ? taken.length : place, 0, one)
    if (taken.length > max) taken.pop()
  }
  return { taken, take }
}

function cardsWithin(
  best: readonly Ranked[],
  { max, budget }: { readonly max: number; readonly budget: number },
): readonly Card[] {
  const cards: Card[] = []
  let left = budget
  for (const { capability, score } of best) {
    if (cards.length >= max) break
    const card = cardOf(capability, score)
    if (card === null) continue
    left -= tokensOfCard(card)
    // What is worse never takes the place of what is better and larger.
    if (left < 0) break
    cards.push(card)
  }
  return cards
}

function passes({ id, tags }: Capability, options: ShortlistOptions): boolean {
  const { namespaces, tags: wanted, exclude = [] } = options
  if (namespaces !== undefined && !namespaces.some((one) => isInNamespace(id, one))) return false
  if (wanted !== undefined && !wanted.some((one) => tags.includes(one))) return false
  return !exclude.includes(id) && !tags.some((tag) => exclude.includes(tag))
}

/** Those that are nearly as good as the best, before the budget cuts any off. */
function closest(best: readonly Ranked[]): readonly string[] {
  const highest = best[0]?.score ?? 0
  const near = best.filter(({ score }) => highest - score < highest * gapMin)
  return near.map(({ capability }) => capability.id)
}

function separating(ids: readonly string[]): readonly string[] {
  if (ids.length < 2) return []
  const namespaces = [...new Set(ids.map(namespaceOf))]
  return namespaces.length > 1 ? namespaces.toSorted() : ids
}
