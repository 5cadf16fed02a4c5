// Writes the graph as the log has it now: as a seed file, or one primitive a line.
import { graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { graphToLines } from '#authoring/changes/ndjson-file'
import { counted } from '#present/wording'
import { writeLine } from '#record/ndjson'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson, write } from '#cli/terminal/terminal'
import { jsonLines } from '#present/json-lines'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'

interface ExportOptions extends GlobalOptions {
  readonly ndjson?: boolean
}

export function exportGraph(file: string | undefined, options: ExportOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const { graph, graphRevision: revision } = follower.state
    const texts =
      options.ndjson === true ? lineTexts(graph) : [`${jsonLines(graphToFile(graph))}\n`]
    if (file === undefined) {
      for (const text of texts) await write(text)
      return exitCodes.yes
    }
    await writeTexts(file, texts)
    const { size } = graph
    if (options.json === true) await printJson({ file, revision, primitives: size })
    else await print([`revision ${revision} is in ${file}: ${counted(size, 'primitive')}`])
    return exitCodes.yes
  })
}

const charactersAtOnce = 65_536

function* lineTexts(graph: Graph): Generator<string> {
  let text = ''
  for (const line of graphToLines(graph)) {
    text += writeLine(line)
    if (text.length < charactersAtOnce) continue
    yield text
    text = ''
  }
  yield text
}
