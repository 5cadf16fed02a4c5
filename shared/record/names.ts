// The names of facts: what a token is, how an identifier becomes one, and how names are put
// together and taken apart by the table of kinds. A name is bound at most once.
import { LRUCache } from 'lru-cache'
import { base64urlOf } from '#platform/bytes'
import { allKinds, kinds, type Kind } from '#schemas/kinds'
import { sha256 } from './crypto/crypto.ts'

/** Longer ones are rare, and would fill memory. */
const hashedCharactersMax = 256
const tokenPattern = /^[A-Za-z0-9-][A-Za-z0-9_-]{0,63}$/
const namePattern = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){2,8}$/

/**
 * Where the names of one deployment live: `<realm>.<era>`. A realm of several cells has a log for
 * each of them, and each is a realm of its own: cell 3 of `main` is `main-c3`. What all cells share
 * has the names of the realm without a cell: `main.1.catalog.7`, in the log of each.
 */
export interface Place {
  readonly realm: string
  readonly era: number
}

/** A cell of a realm, as the realm's own name says it. */
export interface Cell {
  /** The realm whose cell it is. */
  readonly of: string
  /** Which it is, counting from 0. */
  readonly index: number
}

const cellPattern = /^(.+)-c(0|[1-9][0-9]{0,2})$/
// Every name is read by it: each realm is taken apart once, and what a log makes up is not kept.
const cellsKnown = new Map<string, Cell | null>()
const cellsKnownMax = 1_024

/** The cell that the realm is; null where it is not one. */
export function cellIn(realm: string): Cell | null {
  const known = cellsKnown.get(realm)
  if (known !== undefined) return known
  const [, of, index] = cellPattern.exec(realm) ?? []
  const cell = of === undefined ? null : { of, index: Number(index) }
  if (cellsKnown.size < cellsKnownMax) cellsKnown.set(realm, cell)
  return cell
}

/** The realm of that cell. */
export function realmOfCell({ of, index }: Cell): string {
  return `${of}-c${index}`
}

/** The realm of the log that has facts of that name: that realm, or the cell that it names. */
export function realmNamed(name: string, realm: string): string {
  const named = name.slice(0, name.indexOf('.'))
  return cellIn(named)?.of === realm ? named : realm
}

/** Where the names live that all cells of a realm share: its control log has one era. */
export function controlPlace(realm: string): Place {
  return { realm: cellIn(realm)?.of ?? realm, era: 1 }
}

/** Whether facts of that kind are about what all cells share. */
export function isControl(kind: Kind): boolean {
  const { about } = kinds[kind]
  return about === 'question' || about === 'knowledge'
}

/** Whether the name is one that all cells share, as the log of such a cell has it. */
export function isShared(name: string, realm: string): boolean {
  const cell = cellIn(realm)
  return cell !== null && name.startsWith(`${cell.of}.`)
}

// Where a name of that kind lives, as seen from there.
function placeOf(place: Place, kind: Kind): Place {
  return cellIn(place.realm) !== null && isControl(kind) ? controlPlace(place.realm) : place
}

/** What a name says by itself. `address` is there where the name is about one intent. */
export interface NameParts {
  readonly place: Place
  readonly kind: Kind
  readonly tokens: readonly string[]
  readonly address: string | null
}

/** Whether the text is a token as it stands. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text)
}

/**
 * The token of an identifier: itself if it is one, else `_` and base64url of 16 bytes of its
 * SHA-256.
 */
export function token(identifier: string): string {
  return tokenPattern.test(identifier) ? identifier : hashed(identifier)
}

// Each fact asks for those of its agent and its tool again.
const hashesKnown = new LRUCache<string, string>({ max: 1_024 })

function hashed(identifier: string): string {
  const known = hashesKnown.get(identifier)
  if (known !== undefined) return known
  const hash = `_${base64urlOf(sha256(identifier).subarray(0, 16))}`
  if (identifier.length <= hashedCharactersMax) hashesKnown.set(identifier, hash)
  return hash
}

/** Whether the text may be the name of a fact: 3 to 9 tokens, `<realm>.<era>.<kind>…`. */
export function isName(text: string): boolean {
  return namePattern.test(text)
}

/** The name of a fact; the tokens must be tokens already. */
export function nameOf(place: Place, kind: Kind, ...tokens: readonly (string | number)[]): string {
  const { realm, era } = placeOf(place, kind)
  return `${realm}.${era}.${kind}.${tokens.join('.')}`
}

/** `*` and `>` stand for the parts that a pattern leaves open. */
export function patternOf(place: Place, kind: Kind, ...tokens: readonly string[]): string {
  const { realm, era } = placeOf(place, kind)
  return `${realm}.${era}.${kind}.${tokens.length === 0 ? '>' : tokens.join('.')}`
}

/** The exact shapes of all names of the place: each kind with as many tokens as it has. */
export function shapesOf(place: Place): readonly string[] {
  return allKinds.map((kind) => shapeOf(place, kind))
}

/** The exact shape of the names of a kind. */
export function shapeOf(place: Place, kind: Kind): string {
  return patternOf(place, kind, ...kinds[kind].tokens.map(() => '*'))
}

/** The token of a session; `-` is the token of none, and so of no session of that name. */
export function sessionToken(session: string | null): string {
  if (session === null) return '-'
  return session === '-' ? hashed(session) : token(session)
}

/** The queue of a stage in an era; each era has its own, since it has names of its own. */
export function queueOf(stage: string, era: number): string {
  return era === 1 ? stage : `${stage}-${era}`
}

/** The address of an intent: `<agent>.<session>.<ulid>`. */
export function addressOf(agent: string, session: string | null, id: string): string {
  return `${token(agent)}.${sessionToken(session)}.${token(id)}`
}

/** The agent of an intent's address, as a token. */
export function agentIn(address: string): string {
  return address.slice(0, address.indexOf('.'))
}

/** The session of an address, as a token. */
export function sessionIn(address: string): string {
  const dot = address.indexOf('.')
  return address.slice(dot + 1, address.indexOf('.', dot + 1))
}

interface Shape {
  readonly kind: Kind
  readonly tokens: number
  readonly hasAddress: boolean
}

// Every fact is read by these: they are worked out once.
const shapes: ReadonlyMap<string, Shape> = new Map(
  allKinds.map((kind) => {
    const { tokens, about } = kinds[kind]
    return [kind, { kind, tokens: tokens.length, hasAddress: about === 'intent' }]
  }),
)

/**
 * What the name says, or null where it has not the shape of any kind of this place. In the log of a
 * cell what all cells share is of the place of their control log, and of no other.
 */
export function partsOf(name: string, place: Place): NameParts | null {
  const found = partsAt(name, place)
  if (cellIn(place.realm) === null) return found
  if (found !== null) return isControl(found.kind) ? null : found
  const shared = partsAt(name, controlPlace(place.realm))
  return shared !== null && isControl(shared.kind) ? shared : null
}

// Each fact that is folded is seen from the same place.
const prefixes = new WeakMap<Place, string>()

function prefixOf(place: Place): string {
  const known = prefixes.get(place)
  if (known !== undefined) return known
  const prefix = `${place.realm}.${place.era}.`
  prefixes.set(place, prefix)
  return prefix
}

function partsAt(name: string, place: Place): NameParts | null {
  const prefix = prefixOf(place)
  if (!name.startsWith(prefix)) return null
  const dot = name.indexOf('.', prefix.length)
  const shape = shapes.get(name.slice(prefix.length, dot))
  if (shape === undefined || dot < 0) return null
  const rest = name.slice(dot + 1)
  const tokens = rest.split('.')
  if (tokens.length !== shape.tokens) return null
  return {
    place,
    kind: shape.kind,
    tokens,
    address: shape.hasAddress ? addressIn(rest, tokens) : null,
  }
}

/** The token at that place of a name, counted from 0; empty where it has none. No list is made. */
export function tokenAt(name: string, place: number): string {
  const from = startOf(name, place)
  if (from < 0) return ''
  const end = name.indexOf('.', from)
  return end < 0 ? name.slice(from) : name.slice(from, end)
}

/** A name from that token on; empty where it has none. */
export function nameFrom(name: string, place: number): string {
  const from = startOf(name, place)
  return from < 0 ? '' : name.slice(from)
}

function startOf(name: string, place: number): number {
  let from = 0
  for (let at = 0; at < place; at += 1) {
    from = name.indexOf('.', from) + 1
    if (from === 0) return -1
  }
  return from
}

/** Whether the name is that of a message; everything else in the log is an event. */
export function isMessage(parts: NameParts | null): parts is NameParts {
  return parts !== null && kinds[parts.kind].isMessage === true
}

/** What the name says, in whatever era of the realm; null where it has the shape of no kind. */
export function partsInRealm(name: string, realm: string): NameParts | null {
  const era = eraOf(name)
  return era === null ? null : partsOf(name, { realm, era })
}

/**
 * The address of the intent that a name of the realm is about, as `partsInRealm` finds it; null
 * where it is about none. No list is made.
 */
export function addressInRealm(name: string, realm: string): string | null {
  if (tokenAt(name, 0) !== realm || eraOf(name) === null) return null
  const shape = shapes.get(tokenAt(name, 2))
  if (shape?.hasAddress !== true) return null
  const hasAll = startOf(name, 2 + shape.tokens) > 0 && startOf(name, 3 + shape.tokens) < 0
  const end = startOf(name, 6)
  return hasAll ? name.slice(startOf(name, 3), end < 0 ? name.length : end - 1) : null
}

const eraDigitsMax = 9
const zero = 0x30

/** The number of the era that the name is of; null where it says none. */
export function eraOf(name: string): number | null {
  const from = name.indexOf('.') + 1
  const end = name.indexOf('.', from)
  if (end <= from || end - from > eraDigitsMax || name.charCodeAt(from) === zero) return null
  let era = 0
  // It is read of every message of a session, for each intent: no text is made of it.
  for (let at = from; at < end; at += 1) {
    const digit = name.charCodeAt(at) - zero
    if (digit < 0 || digit > 9) return null
    era = era * 10 + digit
  }
  return era
}

/** The same pattern in each era up to that of the place, the oldest first. */
export function patternsOf(
  { realm, era }: Place,
  kind: Kind,
  ...tokens: readonly string[]
): readonly string[] {
  const eras = cellIn(realm) !== null && isControl(kind) ? 1 : era
  return Array.from({ length: eras }, (_, before) =>
    patternOf({ realm, era: before + 1 }, kind, ...tokens),
  )
}

function addressIn(rest: string, tokens: readonly string[]): string {
  return tokens.length === 3 ? rest : tokens.slice(0, 3).join('.')
}
