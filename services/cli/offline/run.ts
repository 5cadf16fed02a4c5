// Runs one offline command from its input to its exit code. What it judges by is read before the
// first line, so a broken file is reported before anything is answered.
import { configuration } from '#runtime/wiring/config'
import { createReadStream } from 'node:fs'
import { Fault } from '#core/kernel/fault'
import { emptyGraph } from '#core/graph/revision'
import { answerGroundLine, groundLine, readGroundLine } from './ground.ts'
import { decideLine, policyResolveLine } from './decide.ts'
import { messageLimits } from '#core/messages/check'
import { vlpCheckLine, vlpDetailedLine } from './vlp-check.ts'
import { exitCodes } from '#schemas/faults/exit'
import { answerEachLine, type LineAnswering } from './lines.ts'
import { readCatalog, readGraph } from './seed-file.ts'

export interface GroundOptions {
  readonly graph?: string
  readonly profile: 'classic' | 'strict'
}

export interface VlpCheckOptions {
  readonly details?: boolean
}

export interface DecideOptions {
  readonly graph?: string
  readonly catalog?: string
}

type Judging = Pick<LineAnswering, 'lineBytesMax' | 'answer'>

// Room for a whole graph in the line.
const lineBytesMax = 64 * 1024 * 1024

/** `vlp check`. A message is no longer than what a log takes as one fact. */
export function checkMessages(
  file: string | undefined,
  { details = false }: VlpCheckOptions,
): Promise<number> {
  const answer = details ? vlpDetailedLine : vlpCheckLine
  return judgeLines(file, { lineBytesMax: messageLimits.bytesMax, answer })
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
  const { neo4jAccess } = await import('#runtime/wiring/neo4j-access')
  const { Neo4jLink } = await import('#adapters/neo4j/link')
  const { neo4jView } = await import('#adapters/neo4j/view')
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
 * `decide`. Without a graph nothing is known, and without a catalog there is no capability to name.
 */
export async function decideRequests(
  file: string | undefined,
  options: DecideOptions,
): Promise<number> {
  const graph = options.graph === undefined ? emptyGraph : await readGraph(options.graph)
  const catalog = await readCatalog(options.catalog)
  const answer = (value: unknown) => decideLine(value, { graph, catalog })
  return judgeLines(file, { lineBytesMax, answer })
}

/** `policy resolve`. */
export function resolvePolicies(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, answer: policyResolveLine })
}

async function judgeLines(file: string | undefined, judging: Judging): Promise<number> {
  const output = process.stdout
  // The write that failed reports it to anyone who waits for it; unheard, this would end the
  // process.
  output.on('error', () => {})
  try {
    const { badLines } = await answerEachLine({ input: inputOf(file), output, ...judging })
    return badLines === 0 ? exitCodes.yes : exitCodes.badLines
  } catch (error) {
    // Anyone who reads the answers has read enough of them.
    if (isClosedPipe(error)) return exitCodes.yes
    throw error
  }
}

function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Object.getOwnPropertyDescriptor(error, 'code')?.value === 'EPIPE'
}

async function* inputOf(file: string | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  const path = file === '-' ? undefined : file
  if (path === undefined && process.stdin.isTTY) {
    process.stderr.write('reading lines of JSON from the terminal; end with Ctrl-D\n')
  }
  const source: AsyncIterable<Uint8Array> =
    path === undefined ? process.stdin : createReadStream(path)
  try {
    yield* source
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    const what = path === undefined ? 'standard input' : `\`${path}\``
    throw new Fault('input_unreadable', `${what}: ${why}`, { cause })
  }
}
