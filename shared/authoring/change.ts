// Change sets of the graph and the catalog by a policy admin: checked before they are bound,
// signed, and tried again at the next revision when another took this one.
import { jsonOf, type JsonMap } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { authored, withProvenance } from './changes/provenance.ts'
import { nameOf } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { countsAt } from '#state/eras'
import { isByPolicyAdmin, unsigned } from '#state/fold/changes'
import type { State } from '#state/state'
import { entryBytesMax } from '#ports/log'
import type { Signature } from '#schemas/values'
import { appendIn, whenOpen } from '#runtime/engine/binding'
import { tried, type Change } from './change-check.ts'
import { movedText, movesOf, refuseMoved, type Moved } from './moved.ts'
import type { Runtime } from '#runtime/engine/runtime'

export type Author = SignsWith & {
  /** A policy admin of the catalog. */
  readonly id: string
}

/** One whose key file is at hand. */
export interface KeyAuthor {
  readonly id: string
  /** PEM of an Ed25519 private key whose public half the catalog binds to that principal. */
  readonly privateKey: string
}

export interface Changed {
  readonly name: string
  readonly revision: number
  /** What others changed first, after this was asked for; absent where no one did. */
  readonly moved?: readonly Moved[]
}

export interface ChangeOptions {
  /** Why, for anyone who reads the log. */
  readonly note?: string
  /** The revision that the author has seen: if another came after it, it is refused. */
  readonly base?: number
  /** When the author drew it up, in milliseconds since 1970; now if not said. */
  readonly at?: number
  /** The digest of the seed folder that it was made from. */
  readonly folder?: string
}

/** How often another policy admin may be first before it is given up. */
const conflictsMax = 32

type Changing = Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer' | 'cells'>

/**
 * Binds the change set as the next revision. Throws a Fault with the refusal's code if it cannot be
 * applied. What is written of the graph says who wrote it and when.
 */
export async function change(
  runtime: Changing,
  wanted: Change,
  author: Author,
  options: ChangeOptions = {},
): Promise<Changed> {
  const { log, follower } = runtime
  const { state } = follower
  await refuseOtherCells(runtime, wanted)
  const moves = movesOf(follower, wanted.kind)
  try {
    for (let conflict = 0; conflict < conflictsMax; conflict += 1) {
      await whenOpen(runtime, state.place.era)
      const { era } = state.place
      if (options.base !== undefined) await refuseMoved(runtime, wanted.kind, options.base)
      const draft = drafted(runtime, wanted, { author, options, moves })
      const { name, revision, bytes } = draft
      const folded = fateOf(follower, name)
      try {
        const bound = await appendIn(log, { name, bytes })
        if (bound === null) {
          await whenOpen(runtime, era + 1)
          continue
        }
        const { appended, fact } = bound
        await follower.reached(fact.position)
        // What its era was sealed before is bound again in the next.
        if (appended && countsAt(state, fact)) {
          const moved = moves.before(revision)
          return reported(folded.why(), { name, revision, ...(moved.length > 0 && { moved }) })
        }
      } finally {
        folded.stop()
      }
    }
  } finally {
    moves.stop()
  }
  throw new Fault('conflict', `others changed the ${wanted.kind} ${conflictsMax} times first`)
}

/** A log that said it were one of several would have no agent in it, and could never unsay it. */
async function refuseOtherCells({ follower, cells }: Changing, wanted: Change): Promise<void> {
  if (wanted.kind !== 'catalog' || cells === undefined) return
  const { operations } = wanted
  const all = typeof operations === 'function' ? operations(follower.state.catalog) : operations
  const stated = all.flatMap((one) => (one.op === 'set' && one.key === 'cells' ? [one.value] : []))
  if (stated.length === 0) return
  const there = await cells()
  const isBegun = follower.state.catalog.cells !== null
  // Agents are spread over no more than there are; at the beginning over all of them.
  const fits = (count: number): boolean => count === there || (isBegun && count < (there ?? 0))
  if (stated.every(fits)) return
  const has = there === null ? 'one log' : `${there} cells`
  const { realm } = follower.state.place
  const fix = 'let the catalog state as many, or none'
  throw new Fault('cells_fixed', `the realm \`${realm}\` has ${has}: ${fix}`)
}

interface Drafting {
  readonly author: Author
  readonly options: ChangeOptions
  readonly moves: ReturnType<typeof movesOf>
}

/** The fact that would be the next revision now. */
function drafted(
  { follower, clock }: Changing,
  wanted: Change,
  { author, options, moves }: Drafting,
): DraftedChange {
  const { state } = follower
  const sequence = wanted.kind === 'graph' ? state.graphSequence : state.catalogSequence
  const of = { ...options, author, now: options.at ?? clock.now() }
  return afterMoves(moves.before(sequence.next), () => changeFact(state, wanted, of))
}

export interface DraftedChange {
  readonly name: string
  readonly revision: number
  readonly bytes: Uint8Array
}

/** The change set as the next revision of that state, signed. Throws a Fault if it is refused. */
export function changeFact(
  state: State,
  wanted: Change,
  {
    author,
    note,
    folder,
    now,
  }: Pick<ChangeOptions, 'note' | 'folder'> & {
    readonly author: Author
    readonly now: number
  },
): DraftedChange {
  const sequence = wanted.kind === 'graph' ? state.graphSequence : state.catalogSequence
  const revision = sequence.next
  const name = nameOf(state.place, wanted.kind, revision)
  const { kind, operations } = tried(state, wanted)
  const provenance = authored(author.id, now)
  const written =
    kind === 'graph' ? operations.map((each) => withProvenance(each, provenance)) : operations
  const why = { ...(note !== undefined && { note }), ...(folder !== undefined && { folder }) }
  const said = { by: author.id, revision, ...why }
  const content: JsonMap = { ...said, operations: jsonOf(written) }
  const signature = signerOf(author)({ log: state.log, name }, content)
  refuseForeign(state, name, { author, data: { by: author.id, signature }, content })
  const time = new Date(now).toISOString()
  const stamp = { source: `warrant/policy-admin`, time, basis: state.position }
  const bytes = writeEvent(kind, name, { ...content, signature: jsonOf(signature) }, stamp)
  if (bytes.length > entryBytesMax) {
    const message = `it takes ${bytes.length} bytes and a fact at most ${entryBytesMax}: divide it`
    throw new Fault('change_too_large', message)
  }
  return { name, revision, bytes }
}

/**
 * What was signed elsewhere is looked at before it takes a revision; what is signed here is void
 * where the key is not in the catalog, and anyone can see whose it was.
 */
function refuseForeign(
  { catalog, log }: State,
  name: string,
  {
    author,
    data,
    content,
  }: {
    readonly author: Author
    readonly data: { readonly by: string; readonly signature: Signature }
    readonly content: JsonMap
  },
): void {
  if (author.sign === undefined) return
  if (isByPolicyAdmin({ catalog, log }, name, { data, written: content })) return
  throw new Fault('change_void', `nothing is bound: ${unsigned(author.id)}`)
}

/** Who is refused after others came first learns what they did: it may be why. */
function afterMoves<T>(moved: readonly Moved[], run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (moved.length === 0 || !(error instanceof Fault)) throw error
    const first = moved.map(movedText).join('; ')
    const message = `${error.message} (others came first: ${first})`
    throw new Fault(error.code, message, { cause: error, retry: error.retry })
  }
}

/** Why the fact of that name is void, once it is folded; null where it is not. */
export function fateOf(follower: Runtime['follower'], name: string) {
  let why: string | null = null
  const stop = follower.listen((fact, folded) => {
    if (fact.name === name) why = folded.void
  })
  return { why: () => why, stop }
}

// The signature may be of a key that the catalog does not know: then the fact is void, with that
// reason.
function reported(why: string | null, changed: Changed): Changed {
  if (why === null) return changed
  throw new Fault('change_void', `\`${changed.name}\` is void: ${why}`)
}
