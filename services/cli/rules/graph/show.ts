// Prints the graph as it is or was: as a tree, as a seed file, or as a picture; all of it, what
// lies around one primitive, or what one grounding made of it.
import { Fault } from '#record/fault'
import { primitiveToFile } from '#knowledge/graph/graph'
import { type Graph, recordAt } from '#knowledge/graph/revision'
import { dotOf } from '#present/picture/dot'
import { mermaidOf } from '#present/picture/mermaid'
import { neighbourhoodOf, pictureOf, wholeOf } from '#present/picture/of-graph'
import { pictureOfGround } from '#present/picture/of-ground'
import type { Picture } from '#present/picture/picture'
import { idNamed } from '#knowledge/graph/near-names'
import { groundingText } from '#present/grounding'
import type { Ground, GroundingData } from '#schemas/facts'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import type { Line } from '#cli/terminal/line'
import { print, printJson, write } from '#cli/terminal/terminal'
import { wrapped } from '#cli/terminal/width'
import { graphLines, provenanceFile } from './print.ts'
import { jsonLines } from '#present/json-lines'
import { standText } from '#cli/terminal/opening/moment-text'
import { looking, type LogPast } from '#cli/terminal/opening/known-at'
import { readEvent } from '#record/event'
import { patternsOf } from '#record/names'
import { findIntent } from '#operations/finding/intent-named'

interface ShowOptions extends GlobalOptions, MomentOptions {
  readonly around?: string
  readonly hops?: number
  readonly intent?: string
  readonly mermaid?: boolean
  readonly dot?: boolean
  readonly provenance?: boolean
}

const hopsDefault = 1

export function showGraph(names: readonly string[], options: ShowOptions): Promise<number> {
  refuseMixed(names, options)
  return looking(options, 'graph', async (at) => {
    if (options.intent === undefined) await showKnown(at, names, options)
    else await showGrounding(at, options.intent, options)
    return exitCodes.yes
  })
}

function refuseMixed(names: readonly string[], options: ShowOptions): void {
  const { around, hops, intent, at, json, mermaid, dot, provenance } = options
  const isPicture = mermaid === true || dot === true
  const mixes: readonly (readonly [boolean, string])[] = [
    [mermaid === true && dot === true, 'a picture is --mermaid or --dot, not both'],
    [isPicture && json === true, 'a picture cannot be JSON: leave out --json'],
    [isPicture && provenance === true, 'a picture shows no --provenance: leave it out'],
    [around !== undefined && names.length > 0, '--around takes the only name'],
    [around === undefined && hops !== undefined, '--hops goes with --around'],
    [
      intent !== undefined && (names.length > 0 || around !== undefined || at !== undefined),
      '--intent shows what its grounding looked at then, so no other part or moment goes with it',
    ],
  ]
  const mixed = mixes.find(([holds]) => holds)
  if (mixed !== undefined) throw usage(mixed[1])
}

async function showKnown(
  { knownAt }: LogPast,
  names: readonly string[],
  options: ShowOptions,
): Promise<void> {
  const known = await knownAt(options.at)
  const { graph, graphRevision } = known
  const ids = idsOf(graph, names, options)
  if (options.mermaid === true || options.dot === true) {
    await writePicture(pictureOf(graph, ids), options)
    return
  }
  const records = [...ids].map((id) => recordAt(graph, id))
  const provenance = options.provenance === true
  if (options.json === true) {
    const primitives = records.map((record) => {
      return provenance ? provenanceFile(graph, record) : primitiveToFile(graph, record)
    })
    await write(`${jsonLines({ primitives })}\n`)
    return
  }
  const stand = options.at === undefined ? `revision ${graphRevision}` : standText(known, 'graph')
  await print(graphLines({ graph, records, stand, provenance }))
}

/** As they were asked for, from the middle outwards, or as they are stored. */
function idsOf(graph: Graph, names: readonly string[], options: ShowOptions): ReadonlySet<number> {
  const { around, hops = hopsDefault } = options
  if (around !== undefined) return neighbourhoodOf(graph, idNamed(graph, around), hops)
  return names.length === 0 ? wholeOf(graph) : new Set(names.map((name) => idNamed(graph, name)))
}

async function showGrounding(at: LogPast, meant: string, options: ShowOptions): Promise<void> {
  const { data, position } = await groundingOfIntent(at, meant)
  const { ground, graphRevision } = data
  if (ground === null) {
    const why = 'nothing had to be known for it, so its grounding looked at nothing'
    throw new Fault('nothing_asked', why)
  }
  if (options.mermaid === true || options.dot === true) {
    await writePicture(pictureOfGround(ground), options)
  } else if (options.json === true) await printJson({ graphRevision, position, ground })
  else await print(await groundingLines(at, ground, position))
}

async function groundingLines(
  { knownAt }: LogPast,
  ground: Ground,
  position: number,
): Promise<readonly Line[]> {
  const { graph } = await knownAt({ at: 'position', position })
  return wrapped(groundingText(graph, ground, null).split('\n'))
}

function writePicture(picture: Picture, { dot }: ShowOptions): Promise<void> {
  return write(`${dot === true ? dotOf(picture) : mermaidOf(picture)}\n`)
}

// The last grounding of one intent, as it was recorded in whichever era.

interface RecordedGrounding {
  readonly data: GroundingData
  /** From here it was derived. */
  readonly position: number
}

async function groundingOfIntent(
  { log, place }: LogPast,
  meant: string,
): Promise<RecordedGrounding> {
  const address = await findIntent(log, place, meant)
  let last: RecordedGrounding | null = null
  for await (const fact of log.read(
    {},
    patternsOf(place, 'grounding', ...address.split('.'), '*'),
  )) {
    const reading = readEvent('grounding', fact)
    if (!reading.ok) continue
    const { data, stamp } = reading.event
    if (data.attempt >= (last?.data.attempt ?? 0)) last = { data, position: stamp.basis }
  }
  if (last !== null) return last
  const what = `the log has no grounding of \`${address}\``
  throw new Fault('no_grounding', `${what}: it may still be open, see \`warrant log --open\``)
}
