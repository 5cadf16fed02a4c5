// `warrant graph`: what is known, was known, and has no effect; and files that change it.
import type { Command } from 'commander'
import { momentSpelling } from '#operations/finding/moment'
import { askedCommand } from '#cli/terminal/asked/command'
import { moment, withMoment } from '#cli/terminal/opening/moment'
import { examples, running, wholeNumber } from '#cli/terminal/opening/options'
import { registerApplying } from '../editing/apply-command.ts'
import { withEditing } from '../editing/edit-options.ts'

export function registerGraph(program: Command): void {
  const graph = program.command('graph').description('the knowledge graph')
  registerShow(graph)
  askedCommand(graph, { list: 'concepts' })
  askedCommand(graph, { list: 'graphParts' })
  registerDiff(graph)
  registerCheck(graph)
  registerApplying(graph, async () => (await import('./apply.ts')).applyToGraph, [
    'warrant graph apply operations.json --dry-run',
    'warrant graph diff r8 r7 --json | warrant graph apply -',
    `echo '{"op":"add","name":"file"}' | warrant graph apply -`,
  ])
  registerImport(graph)
  registerExport(graph)
}

function registerShow(graph: Command): void {
  const command = withMoment(
    graph
      .command('show')
      .description('print the graph as a tree, as a picture, or with --json as a seed file')
      .argument('[name...]', 'only these primitives'),
  )
    .option('--around <name>', 'only that primitive and its neighbours')
    .option(
      '--hops <count>',
      'with --around: how many edges away, in both directions (1)',
      wholeNumber,
    )
    .option('--intent <intent>', 'what the grounding of that intent looked at, and what it lacked')
    .option('--mermaid', 'draw it as a Mermaid flowchart')
    .option('--dot', 'draw it for Graphviz')
    .option('--provenance', 'show who wrote it, when, and for which intent')
    .action(running(async () => (await import('./show.ts')).showGraph))
  examples(command, [
    'warrant graph show',
    'warrant graph show send email --provenance',
    'warrant graph show --at r3 --json > graph.json',
    'warrant graph show --around email --hops 2 --mermaid',
    'warrant graph show --intent 7QK2M0XA --dot | dot -Tsvg > grounding.svg',
  ])
}

function registerDiff(graph: Command): void {
  const command = graph
    .command('diff')
    .description('show what changed in the graph; with --json: the operations for it')
    .argument('<from>', momentSpelling, moment)
    .argument('[to]', 'the same; else as it is now', moment)
    .action(running(async () => (await import('./diff.ts')).diffGraph))
  examples(command, [
    'warrant graph diff r1',
    'warrant graph diff 2026-05-01T12:00Z 2026-05-02T12:00Z',
    'warrant graph diff r7 r6 --json',
  ])
}

function registerCheck(graph: Command): void {
  const command = withMoment(
    graph
      .command('check')
      .description(
        'find unreachable concepts, edges and policies, and reviews that no one can answer',
      ),
  ).action(running(async () => (await import('./check.ts')).checkKnownGraph))
  examples(command, [
    'warrant graph check',
    'warrant graph check --json',
    '',
    'Exit code 5 if something is found.',
  ])
}

function registerImport(graph: Command): void {
  const command = withEditing(
    graph
      .command('import')
      .description('import a graph: what is new is added, what differs is replaced')
      .argument('<file>', 'a graph.json, or one primitive per line; - for standard input')
      .option('--exact', 'also remove what the file lacks'),
  ).action(running(async () => (await import('./import.ts')).importGraph))
  examples(command, [
    'warrant graph import graph.json --dry-run',
    'warrant graph import graph.ndjson --exact --note "as reviewed on Monday"',
  ])
}

function registerExport(graph: Command): void {
  const command = graph
    .command('export')
    .description('write the graph as a seed file, or one primitive per line')
    .argument('[file]', 'the file to write (else standard output)')
    .option('--ndjson', 'one primitive per line, with who wrote what')
    .action(running(async () => (await import('./export.ts')).exportGraph))
  examples(command, [
    'warrant graph export graph.json',
    'warrant graph export --ndjson > graph.ndjson',
  ])
}
