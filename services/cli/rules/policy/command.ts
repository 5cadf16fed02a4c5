// `warrant policy`: the rules on the edges of the graph, from the first question to the last.
import { Option, type Command } from 'commander'
import { level, withTrial } from '../editing/edit-options.ts'
import { seedFolderName } from '#authoring/seed-files'
import { examples, pairs, running, withSigner } from '#cli/terminal/opening/options'
import { registerPolicyResolve } from '#cli/offline/command'

export function registerPolicy(program: Command): void {
  const policy = program.command('policy').description('policies on the edges of a graph')
  registerWizard(policy)
  registerList(policy)
  registerPolicyResolve(policy)
}

function registerWizard(policy: Command): void {
  const options = policy
    .command('wizard')
    .description('write a policy into the graph of a folder, and apply it after a preview')
    .argument('[folder]', 'the folder with graph.json', seedFolderName)
    .option('--source <name>', 'the action, a primitive such as send')
    .option('--target <name>', 'what it applies to')
    .option('--level <level>', 'the level of the edge, where there are several', level)
    .option('--name <name>', 'the name of the policy, unique on its edge')
    .option('--confirm', 'a person must approve (the default)')
    .option('--no-confirm', 'no one is asked: the callback decides alone')
    .option('--confirmation <id>', 'one of the catalog’s confirmations')
    .addOption(
      new Option(
        '--trigger <when>',
        'only for a single item, or only for several (always)',
      ).choices(['always', 'single', 'multiple']),
    )
    .option('--callback <name>', 'a function that the pinned callback module exports')
    .option('--message <text>', 'what people read; {action} stands for the source')
    .option('--metadata <key=value>', 'a property of the policy; may be given several times', pairs)
    .option('--replace', 'replace the policy of that name')
  const command = withSigner(withTrial(options)).action(
    running(async () => (await import('./wizard.ts')).policyWizard),
  )
  examples(command, [
    'warrant policy wizard',
    'warrant policy wizard --source delete --target file --name ask --key ann --yes',
    'warrant policy wizard --source delete --target file --name small \\',
    '  --no-confirm --callback isSmall --dry-run',
    '',
    'Where --source, --target and --name are given, nothing is asked but whether to apply it.',
    'After a no the file has it all the same: take it out, or apply it later.',
  ])
}

function registerList(policy: Command): void {
  const command = policy
    .command('list')
    .description('list the policies of all edges, and those that never fire')
    .action(running(async () => (await import('./list.ts')).listPolicies))
  examples(command, ['warrant policy list', 'warrant policy list --json'])
}
