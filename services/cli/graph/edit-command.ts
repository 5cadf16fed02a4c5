// The commands that change the graph: each is one change set, and so one revision, but for an
// import that no single fact could hold.
import { Argument, InvalidArgumentError, type Command } from 'commander'
import {
  level,
  levels,
  relationType,
  withEditing,
  type EditOptions,
  type LevelWords,
} from '../editing/edit-options.ts'
import { examples, jsonObject, pairs, several } from '../opening/options.ts'
import type { DescribeOptions, RelateOptions } from './edit.ts'
import type { ExportOptions } from './export.ts'
import type { ImportCommandOptions } from '../editing/import.ts'
import type { Level, RelationType } from '#schemas/graph'

export function registerGraphEdits(graph: Command): void {
  registerAdd(graph)
  registerDescribe(graph)
  registerErase(graph)
  registerRelate(graph)
  registerUnrelate(graph)
  registerRename(graph)
  registerRemove(graph)
  registerApply(graph)
  registerImport(graph)
  registerExport(graph)
}

const name = (): Argument => new Argument('<name>', 'the primitive, in any case')
const levelArgument = (which: string): Argument =>
  new Argument(`<${which}>`, '0-4, or EXISTENCE, IDENTITY, CAPABILITIES, …').argParser(level)
const typeArgument = (): Argument =>
  new Argument('<type>', 'REQUIRES, CONSTRAINED_BY, DEPENDS_ON, INCLUDES or APPLIES_TO').argParser(
    relationType,
  )

function registerAdd(graph: Command): void {
  const command = withEditing(
    graph
      .command('add')
      .description('add a primitive, with its levels and their properties')
      .argument('<name>', 'a name that is free')
      .option('--level <words...>', 'a level and its properties: --level 1 is="a text"', levels),
  ).action(async (named: string, _options: unknown, called: Command) => {
    const { addPrimitive } = await import('./edit.ts')
    const options = called.optsWithGlobals<EditOptions & { level?: readonly LevelWords[] }>()
    process.exitCode = await addPrimitive(named, options.level ?? [], options)
  })
  examples(command, [
    'warrant graph add file',
    'warrant graph add file --level identity is="a named text" --level 2 can=\'["read","erase"]\'',
  ])
}

function registerDescribe(graph: Command): void {
  const command = withEditing(
    graph
      .command('describe')
      .description('set the properties of a primitive at one level, replacing those it has')
      .addArgument(name())
      .addArgument(levelArgument('level'))
      .argument('[key=value...]', 'properties; a value that is JSON is taken as that')
      .option('--json-properties <json>', 'properties as one JSON object', jsonObject)
      .option('--keep', 'keep the properties that are not named'),
  ).action(
    async (
      named: string,
      at: Level,
      words: readonly string[],
      _options: unknown,
      called: Command,
    ) => {
      const { describePrimitive } = await import('./edit.ts')
      const properties = readPairs(called, words)
      const options = called.optsWithGlobals<DescribeOptions>()
      process.exitCode = await describePrimitive(named, { level: at, properties }, options)
    },
  )
  examples(command, [
    'warrant graph describe file 1 is="a named text"',
    'warrant graph describe file constraints --json-properties \'{"max":{"mb":5}}\' --keep',
  ])
}

function registerErase(graph: Command): void {
  const command = withEditing(
    graph
      .command('erase')
      .description('remove a level, with its properties and edges')
      .addArgument(name())
      .addArgument(levelArgument('level')),
  ).action(async (named: string, at: Level, _options: unknown, called: Command) => {
    const { eraseLevel } = await import('./edit.ts')
    process.exitCode = await eraseLevel(named, at, called.optsWithGlobals<EditOptions>())
  })
  examples(command, ['warrant graph erase file 4'])
}

function registerRelate(graph: Command): void {
  const command = withEditing(
    graph
      .command('relate')
      .description('add an edge from a level of one primitive to a level of another')
      .argument('<source>', 'the primitive that the edge starts at')
      .addArgument(levelArgument('level'))
      .addArgument(typeArgument())
      .argument('<target>', 'the primitive that it leads to')
      .addArgument(levelArgument('target-level'))
      .option('--metadata <key=value>', 'a property of the edge; may be given several times', pairs)
      .option('--policy <json>', 'a rule on the edge; may be given several times', several),
  ).action(
    async (
      source: string,
      at: Level,
      type: RelationType,
      target: string,
      targetDepth: Level,
      _options: unknown,
      called: Command,
    ) => {
      const { relate } = await import('./edit.ts')
      const options = called.optsWithGlobals<RelateOptions>()
      process.exitCode = await relate({ source, level: at, type, target, targetDepth }, options)
    },
  )
  examples(command, [
    'warrant graph relate erase capabilities REQUIRES file identity',
    'warrant graph relate erase 3 applies-to file 1 --metadata since=2024',
  ])
}

function registerUnrelate(graph: Command): void {
  const command = withEditing(
    graph
      .command('unrelate')
      .description('remove every edge with that source, level, type and target')
      .argument('<source>', 'the primitive that it starts at')
      .addArgument(levelArgument('level'))
      .addArgument(typeArgument())
      .argument('<target>', 'the primitive that it leads to'),
  ).action(
    async (
      source: string,
      at: Level,
      type: RelationType,
      target: string,
      _options: unknown,
      called: Command,
    ) => {
      const { unrelate } = await import('./edit.ts')
      const options = called.optsWithGlobals<EditOptions>()
      process.exitCode = await unrelate({ source, level: at, type, target }, options)
    },
  )
  examples(command, ['warrant graph unrelate erase 2 REQUIRES file'])
}

function registerRename(graph: Command): void {
  const command = withEditing(
    graph
      .command('rename')
      .description('rename a primitive; its edges stay')
      .addArgument(name())
      .argument('<to>', 'a name that is free'),
  ).action(async (named: string, to: string, _options: unknown, called: Command) => {
    const { rename } = await import('./edit.ts')
    process.exitCode = await rename(named, to, called.optsWithGlobals<EditOptions>())
  })
  examples(command, ['warrant graph rename file document'])
}

function registerRemove(graph: Command): void {
  const command = withEditing(
    graph
      .command('remove')
      .description('remove a primitive that nothing relates to')
      .addArgument(name())
      .option('--with-edges', 'also remove the edges that lead to it, in the same change set'),
  ).action(async (named: string, _options: unknown, called: Command) => {
    const { remove } = await import('./edit.ts')
    const options = called.optsWithGlobals<EditOptions & { withEdges?: boolean }>()
    process.exitCode = await remove(named, options)
  })
  examples(command, ['warrant graph remove file', 'warrant graph remove file --with-edges'])
}

function registerApply(graph: Command): void {
  const command = withEditing(
    graph
      .command('apply')
      .description('apply operations as one change set: all of them or none')
      .argument(
        '<file>',
        'a JSON array, one operation per line, or the output of diff; - for standard input',
      ),
  ).action(async (file: string, _options: unknown, called: Command) => {
    const { applyToGraph } = await import('./apply.ts')
    process.exitCode = await applyToGraph(file, called.optsWithGlobals<EditOptions>())
  })
  examples(command, [
    'warrant graph apply operations.json --dry-run',
    'warrant graph diff r8 r7 --json | warrant graph apply -',
    `echo '{"op":"add","name":"file"}' | warrant graph apply -`,
  ])
}

function registerImport(graph: Command): void {
  const command = withEditing(
    graph
      .command('import')
      .description('import a graph: what is new is added, what differs is replaced')
      .argument('<file>', 'a graph.json, or one primitive per line; - for standard input')
      .option('--exact', 'also remove what the file lacks'),
  ).action(async (file: string, _options: unknown, called: Command) => {
    const { importGraph } = await import('./import.ts')
    process.exitCode = await importGraph(file, called.optsWithGlobals<ImportCommandOptions>())
  })
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
    .action(async (file: string | undefined, _options: unknown, called: Command) => {
      const { exportGraph } = await import('./export.ts')
      process.exitCode = await exportGraph(file, called.optsWithGlobals<ExportOptions>())
    })
  examples(command, [
    'warrant graph export graph.json',
    'warrant graph export --ndjson > graph.ndjson',
  ])
}

/** Reported like any other argument that cannot be read, before anything is opened. */
function readPairs(called: Command, words: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return words.reduce((before, word) => pairs(word, before), {})
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    return called.error(`error: \`key=value\`: ${error.message}`, { code: error.code })
  }
}
