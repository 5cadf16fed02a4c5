// `warrant graph show`: what is known.
import type { Command } from 'commander'
import { registerGraphEdits } from './graph-edit.ts'
import { examples, type GlobalOptions } from './options.ts'

export function registerGraph(program: Command): void {
  const graph = program.command('graph').description('the knowledge graph')
  registerGraphEdits(graph)
  const command = graph
    .command('show')
    .description('print the graph as a tree, or with --json as a seed file')
    .argument('[name...]', 'only these primitives')
    .action(async (names: readonly string[], _options: unknown, called: Command) => {
      const { showGraph } = await import('./run/show.ts')
      process.exitCode = await showGraph(names, called.optsWithGlobals<GlobalOptions>())
    })
  examples(command, [
    'warrant graph show',
    'warrant graph show send email',
    'warrant graph show --json',
  ])
}
