// `warrant plan`, `apply` and `pull`: a folder of files that people write, and the log.
import type { Command } from 'commander'
import { noteText, withLast } from '../editing/edit-options.ts'
import { examples, running, withSigner } from '#cli/terminal/opening/options'

export function registerPlan(program: Command): void {
  registerPlanning(program)
  registerApply(program)
  registerPull(program)
}

function withPreview(command: Command): Command {
  return withLast(command.option('--prune', 'also remove what the log has and the folder lacks'))
}

function registerPlanning(program: Command): void {
  const command = withPreview(
    program
      .command('plan')
      .description('show what applying a folder would add, change and remove, and its effect')
      .argument('<folder>', 'the folder with graph.json, catalog.json and callbacks.ts'),
  )
    .option('--out <file>', 'write the plan, for `warrant apply` to apply exactly this')
    .option('--check', 'end with 5 if the folder and the log differ')
    .action(running(async () => (await import('./plan.ts')).plan))
  examples(command, [
    'warrant plan warrant',
    'warrant plan warrant --prune --out plan.json && warrant apply plan.json',
    'warrant plan warrant --check --last 0',
  ])
}

function registerApply(program: Command): void {
  const command = withSigner(
    withPreview(
      program
        .command('apply')
        .description('apply a folder to the log, or exactly a plan')
        .argument('<path>', 'the folder, or a file of `warrant plan --out`'),
    ).option('--note <text>', 'why, for anyone who reads the log', noteText),
  ).action(running(async () => (await import('./apply.ts')).apply))
  examples(command, [
    'warrant apply warrant',
    'warrant apply plan.json --key ann --yes',
    '',
    'What is new is added, what differs is changed, and what only the log has stays unless',
    '--prune is given. A plan is refused if the log has changed since it was made.',
    'The first catalog of a log needs a policy admin: if the file has none, your key is added.',
  ])
}

function registerPull(program: Command): void {
  const command = program
    .command('pull')
    .description('write what the log has into the files of a folder')
    .argument('<folder>', 'where graph.json, catalog.json and callbacks.ts are written')
    .option('--yes', 'overwrite without asking what the log does not have')
    .action(running(async () => (await import('./pull.ts')).pull))
  examples(command, ['warrant pull warrant'])
}
