// How far a projection is, as the one node says that every projector writes first: who was there
// before, sees it there.
import { z } from 'zod'
import { Fault } from '#record/fault'
import type { Counters } from '../projection/graph-writes.ts'
import type { FoldMark } from '../projection/pending.ts'
import type { Neo4jLink, CypherRow, RunCypher } from './link.ts'

/** How far the database is. `reached` is null while a rebuild has not written its first graph. */
export interface ProjectionMark extends Counters {
  readonly realm: string
  /** What was before this position was never written: the log began after it. */
  readonly from: number
  readonly reached: number | null
  readonly fact: string | null
  readonly digest: string | null
  /** Which rebuild it is in; readers see no position until it has ended. */
  readonly rebuild: string | null
}

export interface NextMark {
  readonly mark: ProjectionMark
  /** What readers see; null where they see nothing yet. */
  readonly reported: Pick<FoldMark, 'position' | 'graphRevision' | 'catalogRevision'> | null
}

const count = z.int().min(0)

const Stored = z.object({
  mark: z.object({
    realm: z.string(),
    from: count,
    reached: count.nullable().default(null),
    fact: z.string().nullable().default(null),
    digest: z.string().nullable().default(null),
    rebuild: z.string().nullable().default(null),
    places: count,
    orders: count,
  }),
})

/** How far it is; null where nothing was ever projected. */
export async function projectionMark(
  link: Pick<Neo4jLink, 'read'>,
): Promise<ProjectionMark | null> {
  const rows = await link.read((run) => run('MATCH (p:Projection) RETURN properties(p) AS mark'))
  return rows.length === 0 ? null : markIn(rows)
}

export function markIn(rows: readonly CypherRow[]): ProjectionMark {
  const stored = Stored.safeParse(rows[0])
  if (stored.success && rows.length === 1) return stored.data.mark
  const message = 'the projection does not say how far it is: write it again by --rebuild'
  throw new Fault('projection_broken', message)
}

/** The one node, with everything that stands there. */
export interface HeldMark {
  readonly mark: ProjectionMark
  readonly labels: unknown
  readonly properties: unknown
}

/**
 * Lets the caller look, while no one brings the projection further. May be called more than once,
 * since what is transient is tried again.
 */
export async function withMarkHeld<T>(
  link: Pick<Neo4jLink, 'write'>,
  look: (run: RunCypher, held: HeldMark) => Promise<T>,
): Promise<T> {
  return link.write(async (run) => {
    // Anyone who writes rows takes this lock first; to set what is so already changes nothing.
    const rows = await run(`MATCH (p:Projection) SET p.only = p.only
      RETURN properties(p) AS mark, labels(p) AS labels`)
    const mark = markIn(rows)
    return look(run, { mark, labels: rows[0]?.['labels'], properties: rows[0]?.['mark'] })
  })
}

/** The node where there is none yet. */
export async function beginMark(run: RunCypher, realm: string): Promise<ProjectionMark> {
  const rows = await run(
    `MERGE (p:Projection {only: true})
       ON CREATE SET p += {realm: $realm, from: 0, reached: 0, position: 0, graphRevision: 0,
         catalogRevision: 0, places: 0, orders: 0}
     RETURN properties(p) AS mark`,
    { realm },
  )
  return markIn(rows)
}

// What is written first takes the lock, and only then is it looked at: anyone who waited here sees
// what the other did.
const claiming = `MATCH (p:Projection {realm: $was.realm})
  SET p.only = true
  WITH p
  WHERE p.places = $was.places AND p.orders = $was.orders AND (p.reached = $was.reached OR
    ($was.reached IS NULL AND p.reached IS NULL AND p.rebuild = $was.rebuild))
  SET p += $is
  RETURN p.realm AS realm`

/** Takes it from one mark to the next. Throws `projection_moved` where it is elsewhere. */
export async function claimMark(
  run: RunCypher,
  was: ProjectionMark,
  { mark, reported }: NextMark,
): Promise<void> {
  const rows = await run(claiming, { was, is: { ...mark, ...reported } })
  if (rows.length === 1) return
  const what = 'another process moved the projection, or rebuilds it'
  throw new Fault('projection_moved', `${what}: look how far it is now`)
}
