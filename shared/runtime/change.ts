// Change sets of the graph and the catalog by an administrator: checked before they are bound,
// signed, and tried again at the next revision when another took this one.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { jsonOf, type Json } from '#core/canonical'
import { applyCatalogChange } from '#core/catalog/catalog'
import { writeEvent } from '#core/event'
import { Fault } from '#core/fault'
import { applyChange } from '#core/graph/change'
import { nameOf } from '#core/names'
import { signData } from '#core/signature'
import { countsIn } from '#core/world/eras'
import { appendIn, whenOpen } from './binding.ts'
import type { Runtime } from './open.ts'

export interface Author {
  /** An administrator of the catalog. */
  readonly id: string
  /** PEM of an Ed25519 private key whose public half the catalog binds to that principal. */
  readonly privateKey: string
}

export interface Changed {
  readonly name: string
  readonly revision: number
}

type Change =
  | { readonly kind: 'graph'; readonly operations: readonly GraphOperation[] }
  | { readonly kind: 'catalog'; readonly operations: readonly CatalogOperation[] }

/** How often another administrator may be first before it is given up. */
const conflictsMax = 32

/**
 * Binds the change set as the next revision. Throws a Fault with the refusal's code if it can not
 * be applied.
 */
export async function change(
  runtime: Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>,
  wanted: Change,
  author: Author,
): Promise<Changed> {
  const { log, follower, clock } = runtime
  const { world } = follower
  for (let conflict = 0; conflict < conflictsMax; conflict += 1) {
    await whenOpen(runtime, world.place.era)
    const { era } = world.place
    check(world, wanted)
    const series = wanted.kind === 'graph' ? world.graphSeries : world.catalogSeries
    const revision = series.next
    const name = nameOf(world.place, wanted.kind, revision)
    const content: Json = jsonOf({ by: author.id, operations: wanted.operations, revision })
    const data = jsonOf({
      by: author.id,
      operations: wanted.operations,
      revision,
      signature: signData(name, content, author.privateKey),
    })
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `warrant/administrator`, time, basis: world.position }
    const bytes = writeEvent(wanted.kind, name, data, stamp)
    const folded = fateOf(follower, name)
    try {
      const bound = await appendIn(log, { name, bytes })
      if (bound === null) {
        await whenOpen(runtime, era + 1)
        continue
      }
      const { appended, fact } = bound
      await follower.reached(fact.position)
      // What an era was sealed before is said again in the next.
      if (appended && countsIn(world.eras, fact)) return told(folded.why(), { name, revision })
    } finally {
      folded.stop()
    }
  }
  throw new Fault(
    'conflict',
    'soon',
    `others changed the ${wanted.kind} ${conflictsMax} times first`,
  )
}

function check(world: Runtime['follower']['world'], wanted: Change): void {
  const result =
    wanted.kind === 'graph'
      ? applyChange(world.graph, wanted.operations)
      : applyCatalogChange(world.catalog, wanted.operations)
  if (!('refused' in result)) return
  const { code, message } = result.refused
  throw new Fault(code, 'never', message)
}

/** Why the fact of that name is void, once it is folded; null where it is not. */
export function fateOf(follower: Runtime['follower'], name: string) {
  let why: string | null = null
  const stop = follower.listen((fact, folded) => {
    if (fact.name === name) why = folded.void
  })
  return { why: () => why, stop }
}

// The signature may be of a key that the catalog does not know: then the fact is void, and says so.
function told(why: string | null, changed: Changed): Changed {
  if (why === null) return changed
  throw new Fault('change_void', 'never', `\`${changed.name}\` is void: ${why}`)
}
