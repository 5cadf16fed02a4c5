// `warrant catalog`: who there is and what can be done, now and before; and files that change it.
import type { Command } from 'commander'
import { momentSpelling } from '#operations/finding/moment'
import { moment, withMoment } from '#cli/terminal/opening/moment'
import { registerApplying } from '../editing/apply-command.ts'
import { noteText, withEditing } from '../editing/edit-options.ts'
import {
  examples,
  pairs,
  running,
  seconds,
  withSigner,
  several,
} from '#cli/terminal/opening/options'

export function registerCatalog(program: Command): void {
  const catalog = program.command('catalog').description('principals, tools and limits')
  registerShow(catalog)
  registerDiff(catalog)
  registerApplying(catalog, async () => (await import('./apply.ts')).applyToCatalog, [
    'warrant catalog apply operations.json --dry-run',
    'warrant catalog diff r4 r3 --json | warrant catalog apply -',
  ])
  registerMove(catalog)
  registerSpread(catalog)
  registerImport(catalog)
  registerExport(catalog)
  registerCheck(catalog)
}

function registerShow(catalog: Command): void {
  const command = withMoment(
    catalog
      .command('show')
      .description('print the catalog as tables, or with --json as a seed file'),
  ).action(running(async () => (await import('./show.ts')).showCatalog))
  examples(command, ['warrant catalog show', 'warrant catalog show --at r3 --json'])
}

function registerDiff(catalog: Command): void {
  const command = catalog
    .command('diff')
    .description('show what changed in the catalog; with --json: the operations for it')
    .argument('<from>', momentSpelling, moment)
    .argument('[to]', 'the same; else as it is now', moment)
    .action(running(async () => (await import('./diff.ts')).diffCatalog))
  examples(command, ['warrant catalog diff r1', 'warrant catalog diff r4 r3 --json'])
}

function registerMove(catalog: Command): void {
  const command = withSigner(
    catalog
      .command('move')
      .description('move an agent to another fleet or owner, and so maybe to another cell')
      .argument('<agent>', 'the principal')
      .option('--fleet <name>', 'place it with the agents of that fleet')
      .option('--no-fleet', 'place it by its owners again')
      .option('--owner <id>', 'give it that owner; all that it owns goes with it')
      .option('--stay', 'cancel a move: it stays in its cell, and may ask again')
      .option('--wait <seconds>', 'how long to wait for what it has open (60)', seconds)
      .option('--note <text>', 'why, for anyone who reads the log', noteText),
  ).action(running(async () => (await import('./move.ts')).moveAgent))
  examples(command, [
    'warrant catalog move my-agent --fleet night',
    'warrant catalog move my-agent --stay',
    '',
    'It signs twice: that the agent leaves its cell, where it may ask for nothing new, and when',
    'nothing of it is open there, that it arrives in the other. Where this was cut off, the same',
    'command goes on.',
  ])
}

function registerSpread(catalog: Command): void {
  const command = withSigner(
    catalog
      .command('spread')
      .description('spread the agents over another number of cells')
      .argument('<cells>', 'how many of the cells that there are')
      .option('--wait <seconds>', 'how long to wait for what they have open (60)', seconds)
      .option('--note <text>', 'why, for anyone who reads the log', noteText),
  ).action(running(async () => (await import('./move.ts')).spreadAgents))
  examples(command, [
    'warrant nats init --cells 8 && warrant catalog spread 8',
    '',
    'Whom that moves leave their cells and arrive in others, as by `warrant catalog move`. With',
    'the number that the catalog has, who is leaving stays.',
  ])
}

function registerImport(catalog: Command): void {
  const command = withEditing(
    catalog
      .command('import')
      .description('import a catalog, or propose tools that others describe')
      .argument(
        '<file>',
        'a catalog.json, a `tools/list` result or an OpenAPI 3 document; - for standard input',
      )
      .option('--exact', 'also remove what the file lacks')
      .option('--into <folder>', 'of tools: write those that it lacks into its catalog.json')
      .option('--class <id=class>', 'of a tool: READ, WRITE or DESTRUCTIVE; repeat for more', pairs)
      .option('--requests', 'of OpenAPI: what a proxy such as Envoy asks about, by its paths')
      .option('--accept-hints', 'of tools: take what their authors say of them for their classes'),
  ).action(running(async () => (await import('./import.ts')).importCatalog))
  examples(command, [
    'warrant catalog import catalog.json --dry-run',
    'warrant catalog import tools.json --into warrant',
    'warrant catalog import tools.json --class list_orders=READ',
    'warrant catalog import openapi.json --requests --into warrant',
    '',
    'Tools are only proposed, with a safety class and why. Hints never make a class milder unless',
    'you accept them. What changed since it was approved is suspended in the folder.',
  ])
}

function registerExport(catalog: Command): void {
  const command = catalog
    .command('export')
    .description('write the catalog as a seed file')
    .argument('[file]', 'the file to write (else standard output)')
    .action(running(async () => (await import('./export.ts')).exportCatalog))
  examples(command, ['warrant catalog export catalog.json'])
}

// `warrant catalog check`: whether imported tools are still what was approved.

function registerCheck(catalog: Command): void {
  const command = withEditing(
    catalog
      .command('check')
      .description('compare imported tools with what their authors say now')
      .argument('<file>', 'a `tools/list` result or an OpenAPI 3 document; - for standard input')
      .option('--suspend', 'suspend those that changed until someone has looked')
      .option('--accept <id>', 'take what the tool is now as approved; repeat for more', several),
  ).action(running(async () => (await import('./tools/check.ts')).checkTools))
  examples(command, [
    'warrant catalog check tools.json',
    'warrant catalog check tools.json --suspend --note "they changed overnight"',
    'warrant catalog check tools.json --accept read_file',
    '',
    'Exit code 5 where a tool is not what was approved. Only a signed change accepts it.',
  ])
}
