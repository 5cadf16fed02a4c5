// Runs one offline command from its input to its exit code. What it judges by is read before the
// first line, so a broken file is reported before anything is answered.
import { configuration } from '#wiring/config'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#system/clock'
import { seedFileNames } from '#authoring/seed-files'
import { Fault } from '#record/fault'
import { emptyGraph } from '#knowledge/graph/revision'
import { answerGroundLine, groundLine, readGroundLine } from './ground.ts'
import { readCallbackFile, withCallbacks } from './callback-file.ts'
import { decideCalling } from './decide-calling.ts'
import { policyResolveLine } from './resolve.ts'
import { messageLimits } from '#messages/check'
import { vlpCheckLine, vlpDetailedLine } from './vlp-check.ts'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'

interface GroundOptions {
  readonly graph?: string
  readonly profile: 'classic' | 'strict'
}

interface VlpCheckOptions {
  readonly details?: boolean
  readonly fail?: boolean
}

interface DecideOptions {
  readonly graph?: string
  readonly catalog?: string
  readonly callbacks?: string
  readonly seed?: string
  readonly details?: boolean
  readonly fail?: boolean
  /** The outcomes of which each ends it with another exit code. */
  readonly failOn?: readonly string[]
}

/** `vlp check`. A message is no longer than what a log takes as one fact. */
export function checkMessages(
  file: string | undefined,
  { details = false, fail = false }: VlpCheckOptions,
): Promise<number> {
  const answer = details ? vlpDetailedLine : vlpCheckLine
  const failing = fail ? ['fail'] : []
  return judgeLines(file, { lineBytesMax: messageLimits.bytesMax, answer, failing })
}

/** `ground`. */
export async function groundConcepts(
  file: string | undefined,
  { graph: path, profile }: GroundOptions,
): Promise<number> {
  if (path !== undefined && isNeo4j.test(path)) return groundInNeo4j(file, path, profile)
  const graph = path === undefined ? null : await readGraph(path)
  const answer = (value: unknown) => groundLine(value, graph, profile)
  return judgeLines(file, { lineBytesMax, answer })
}

const isNeo4j = /^(neo4j|bolt)(\+s|\+ssc)?:\/\//

/** Each line is answered from the graph as it is there when the line is read. */
async function groundInNeo4j(
  file: string | undefined,
  url: string,
  profile: GroundOptions['profile'],
): Promise<number> {
  const { neo4jAccess } = await import('#wiring/neo4j-access')
  const { Neo4jLink } = await import('#neo4j/driver/link')
  const { neo4jView } = await import('#neo4j/driver/view')
  const link = await Neo4jLink.open(await neo4jAccess(url, configuration()))
  const view = neo4jView(link)
  const answer = async (value: unknown): Promise<object> => {
    const line = readGroundLine(value)
    if ('error' in line) return line
    if (line.graph !== undefined && line.graph !== null) return groundLine(value, null, profile)
    const { graph } = await view.gather(line.concepts)
    return answerGroundLine(line, graph, profile)
  }
  try {
    return await judgeLines(file, { lineBytesMax, answer })
  } finally {
    await link.close()
  }
}

/**
 * `decide`. Without a graph nothing is known, without a catalog there is no capability to name, and
 * without a callback module every check has faulted.
 */
export async function decideRequests(
  file: string | undefined,
  options: DecideOptions,
): Promise<number> {
  const { seed, details = false, fail = false, failOn = [] } = options
  const failing = fail ? ['deny', ...failOn] : failOn
  const files = seed === undefined ? options : { ...filesIn(seed), ...options }
  const graph = files.graph === undefined ? emptyGraph : await readGraph(files.graph)
  const catalog = await readCatalog(files.catalog)
  const module = files.callbacks === undefined ? null : await readCallbackFile(files.callbacks)
  const time = new Date(systemClock.now()).toISOString()
  return withCallbacks(module, (opened) => {
    const base = { graph, catalog, opened, time, details }
    const answer = (value: unknown) => decideCalling(value, base)
    return judgeLines(file, { lineBytesMax, answer, failing })
  })
}

/** Those files of a seed folder that are there. Throws a Fault where it has neither of two. */
function filesIn(folder: string): Pick<DecideOptions, 'graph' | 'catalog' | 'callbacks'> {
  const found = Object.entries(seedFileNames)
    .map(([part, name]) => [part, join(folder, name)] as const)
    .filter(([, path]) => existsSync(path))
  const files: Pick<DecideOptions, 'graph' | 'catalog' | 'callbacks'> = Object.fromEntries(found)
  if (files.graph !== undefined || files.catalog !== undefined) return files
  const message = `\`${folder}\` holds no seed: write \`graph.json\` or \`catalog.json\` there`
  throw new Fault('seed_missing', message)
}

/** `policy resolve`. */
export function resolvePolicies(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, answer: policyResolveLine })
}
