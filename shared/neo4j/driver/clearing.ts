// Wipes a projection so that it can be written again. It takes away what carries the labels of a
// projector and nothing else, and only where the database is this realm's, or was named.
import { assert, Fault } from '#record/fault'
import type { Neo4jLink, RunCypher } from './link.ts'
import { beginMarks, claimMark, type ProjectionMark } from './mark.ts'
import { projectedLabels, type Layout } from './model.ts'
import { makeSchema, schemaFlaws } from './schema.ts'

type ClearingLink = Pick<Neo4jLink, 'read' | 'write' | 'auto'>

export interface Clearing {
  readonly realm: string
  readonly layout: Layout
  /** A realm that the database may say it holds, since the operator names it. */
  readonly replaces: string | null
  /** Whose rebuild it is: of two, the one that began last goes on. */
  readonly rebuild: string
  /** What was before this position will not be written. */
  readonly from: number
  readonly onWiped?: (nodes: number, total: number) => void
}

const wipedMax = 5_000

/**
 * Takes everything out but the mark, which from now on shows readers nothing. Throws a Fault, and
 * changes nothing, where the database is of another.
 */
export async function clearProjection(
  link: ClearingLink,
  clearing: Clearing,
): Promise<ProjectionMark> {
  const { layout } = clearing
  const found = await foundIn(link, layout)
  refuseForeign(found, clearing)
  if (found.nodes === 0) await makeSchema(link, layout)
  const mark = await link.write((run) => begun(run, clearing))
  await wipe(link, mark, { ...clearing, total: found.own })
  // Where a constraint was missing, it can only be made once what it forbids has gone.
  await makeSchema(link, layout)
  return mark
}

interface Found {
  readonly nodes: number
  /** Those that carry a label of ours. */
  readonly own: number
  /** What each mark says; null where one is not readable. */
  readonly realms: readonly (string | null)[]
  readonly hasSchema: boolean
}

const ofOurs = projectedLabels.map((label) => `n:${label}`).join(' OR ')
const looking = `MATCH (n) RETURN count(n) AS nodes,
  count(CASE WHEN ${ofOurs} THEN 1 END) AS own,
  collect(CASE WHEN n:Projection THEN properties(n) END) AS marks`

async function foundIn(link: ClearingLink, layout: Layout): Promise<Found> {
  const [row] = await link.read((run) => run(looking))
  const marks: readonly unknown[] = [row?.['marks']].flat()
  const flaws = await schemaFlaws(link, layout)
  return {
    nodes: Number(row?.['nodes']),
    own: Number(row?.['own']),
    realms: marks.map(realmIn),
    hasSchema: !flaws.some(({ name }) => name === 'projection_only'),
  }
}

function realmIn(mark: unknown): string | null {
  if (typeof mark !== 'object' || mark === null || !('realm' in mark)) return null
  return typeof mark.realm === 'string' ? mark.realm : null
}

function refuseForeign(
  { nodes, own, realms, hasSchema }: Found,
  { realm, replaces }: Clearing,
): void {
  const named = realms.filter((each) => each !== null)
  const other = named.find((each) => each !== realm && each !== replaces)
  if (other !== undefined) throw otherRealm(other, realm)
  if (named.length > 0 || nodes === 0) return
  // No mark can be read: then all that is there must be a projector's work.
  if (!hasSchema || own < nodes) throw notEmpty()
}

export function otherRealm(found: string, realm: string): Fault {
  const what = `the database holds the realm \`${found}\`, and not \`${realm}\``
  const fix = `give this one its own, or wipe that one by --rebuild --replace ${found}`
  return new Fault('projection_of_other_realm', `${what}: ${fix}`)
}

export function notEmpty(): Fault {
  const message = 'the database holds other things: give an empty one, or empty it'
  return new Fault('neo4j_not_empty', message)
}

const beginning = `MATCH (p:Projection)
  WITH collect(p) AS marks
  FOREACH (p IN tail(marks) | DETACH DELETE p)
  WITH head(marks) AS p
  SET p = $mark, p.only = true
  REMOVE p:$([label IN labels(p) WHERE label <> 'Projection'])`

async function begun(run: RunCypher, { realm, rebuild, from }: Clearing): Promise<ProjectionMark> {
  const [marks] = await run('MATCH (p:Projection) RETURN count(p) AS marks')
  if (marks?.['marks'] === 0) await beginMarks(run, realm, [])
  const mark = { realm, rebuild, from, places: 0, orders: 0 }
  await run(beginning, { mark })
  return { ...mark, reached: null, fact: null, digest: null }
}

async function wipe(
  link: Pick<ClearingLink, 'write'>,
  mark: ProjectionMark,
  { total, onWiped }: Clearing & { readonly total: number },
): Promise<void> {
  let done = 0
  for (const label of projectedLabels) {
    if (label === 'Projection') continue
    const wiping = `MATCH (n:${label}) WITH n LIMIT ${wipedMax} DETACH DELETE n
      RETURN count(*) AS wiped`
    let wiped = 0
    do {
      onWiped?.(done, total)
      wiped = await link.write(async (run) => {
        await claimMark(run, { was: mark }, { mark, reported: null })
        return Number((await run(wiping))[0]?.['wiped'])
      })
      assert(Number.isInteger(wiped), 'a count is a whole number')
      done += wiped
    } while (wiped > 0)
  }
}
