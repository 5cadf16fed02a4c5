// What is looked up of all principals, so that no change and no message goes through them: whom a
// name of a fact means, how many each owns, and who has what no two may share. It follows a catalog
// from change set to change set, and is made of all of them only where none is known.
import type { Identity, Principal } from '#schemas/catalog'
import { token } from '#record/names'
import { draftMapOf, type DraftMap } from '../layered-map.ts'

type Principals = ReadonlyMap<string, Principal>

/** The one who has it; else all who do, in their order. */
type Holder = string | readonly string[]

export interface Holding {
  readonly holders: ReadonlyMap<string, Holder>
  /** How many things more than one has, or one twice. */
  readonly clashes: number
}

/** What no two may share; what one may have twice is given once. */
const things = {
  keys: ({ keys }: Principal) => new Set(keys),
  passkeys: ({ passkeys = [] }: Principal) => passkeys.map(({ id }) => id),
  passkeyKeys: ({ passkeys = [] }: Principal) => passkeys.map(({ key }) => key),
  identities: ({ identities = [] }: Principal) => new Set(identities.map(identityKey)),
  /** Of ids that are no tokens. */
  tokens: ({ id }: Principal) => (token(id) === id ? [] : [token(id)]),
} as const

type Thing = keyof typeof things

export interface PrincipalIndex extends Readonly<Record<Thing, Holding>> {
  /** How many each owns. */
  readonly owned: ReadonlyMap<string, number>
}

export function identityKey({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject])
}

/** The first who has it. */
export function firstHolder({ holders }: Holding, key: string): string | undefined {
  const found = holders.get(key)
  return typeof found === 'string' ? found : found?.[0]
}

// A catalog is never changed, so what was worked out of one stays true.
const known = new WeakMap<Principals, PrincipalIndex>()
const nothing: Holding = { holders: new Map(), clashes: 0 }
const empty: PrincipalIndex = {
  keys: nothing,
  passkeys: nothing,
  passkeyKeys: nothing,
  identities: nothing,
  tokens: nothing,
  owned: new Map(),
}

export function principalIndex(principals: Principals): PrincipalIndex {
  const before = known.get(principals)
  if (before !== undefined) return before
  const draft = draftOf(empty)
  for (const principal of principals.values()) count(draft, principal, 1)
  known.set(principals, draft)
  return draft
}

/** Keeps the index of those after a change: only these may differ in the two. */
export function followIndex(before: Principals, after: Principals, ids: Iterable<string>): void {
  const draft = draftOf(principalIndex(before))
  for (const id of new Set(ids)) {
    const [was, is] = [before.get(id), after.get(id)]
    if (was !== undefined) count(draft, was, -1)
    if (is !== undefined) count(draft, is, 1)
  }
  known.set(after, draft)
}

type HoldingDraft = { readonly holders: DraftMap<Holder>; clashes: number }
type Draft = Readonly<Record<Thing, HoldingDraft>> & { readonly owned: DraftMap<number> }

function draftOf(index: PrincipalIndex): Draft {
  return {
    keys: holdingDraft(index.keys),
    passkeys: holdingDraft(index.passkeys),
    passkeyKeys: holdingDraft(index.passkeyKeys),
    identities: holdingDraft(index.identities),
    tokens: holdingDraft(index.tokens),
    owned: draftMapOf(index.owned),
  }
}

function holdingDraft({ holders, clashes }: Holding): HoldingDraft {
  return { holders: draftMapOf(holders), clashes }
}

function count(draft: Draft, principal: Principal, step: 1 | -1): void {
  const { id, owner } = principal
  if (owner !== undefined) counted(draft.owned, owner, step)
  for (const thing of thingNames) {
    for (const key of things[thing](principal)) {
      if (step === 1) give(draft[thing], key, id)
      else take(draft[thing], key, id)
    }
  }
}

const thingNames = ['keys', 'passkeys', 'passkeyKeys', 'identities', 'tokens'] as const

function counted(owned: DraftMap<number>, owner: string, step: number): void {
  const many = (owned.get(owner) ?? 0) + step
  if (many > 0) owned.set(owner, many)
  else owned.delete(owner)
}

function give(holding: HoldingDraft, key: string, id: string): void {
  const { holders } = holding
  const found = holders.get(key)
  if (found === undefined) holders.set(key, id)
  else {
    if (typeof found === 'string') holding.clashes += 1
    holders.set(key, [found, id].flat())
  }
}

function take(holding: HoldingDraft, key: string, id: string): void {
  const { holders } = holding
  const found = holders.get(key)
  if (found === undefined || typeof found === 'string') {
    holders.delete(key)
    return
  }
  const left = found.toSpliced(found.indexOf(id), 1)
  const [first, second] = left
  if (second === undefined) holding.clashes -= 1
  holders.set(key, second === undefined ? (first ?? id) : left)
}
