// Prints the graph and the catalog as the log has them now.
import { catalogToFile } from '#core/catalog/catalog'
import { Fault } from '#core/fault'
import { graphToFile, primitiveToFile } from '#core/graph/graph'
import { find } from '#core/graph/revision'
import { exitCodes } from '../exit.ts'
import type { GlobalOptions } from '../options.ts'
import { print, write } from '../terminal.ts'
import { catalogLines } from '../text/catalog-text.ts'
import { graphLines } from '../text/graph-text.ts'
import { jsonLines } from '../text/json-lines.ts'
import { withRuntime } from './opened.ts'

export async function showGraph(names: readonly string[], options: GlobalOptions): Promise<number> {
  return withRuntime(options, {}, async ({ follower }) => {
    const { graph, graphRevision } = follower.world
    const records = names.map((name) => {
      const record = find(graph, name)
      if (record !== undefined) return record
      throw new Fault('name_unknown', 'never', `the graph has no \`${name}\``)
    })
    const file =
      names.length === 0
        ? graphToFile(graph)
        : { primitives: records.map((record) => primitiveToFile(graph, record)) }
    if (options.json === true) await write(`${jsonLines(file)}\n`)
    else await print(graphLines(file, graphRevision))
    return exitCodes.yes
  })
}

export async function showCatalog(options: GlobalOptions): Promise<number> {
  return withRuntime(options, {}, async ({ follower }) => {
    const { catalog, catalogRevision } = follower.world
    const file = catalogToFile(catalog)
    if (options.json === true) await write(`${jsonLines(file)}\n`)
    else await print(catalogLines(file, catalogRevision))
    return exitCodes.yes
  })
}
