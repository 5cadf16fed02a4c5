// `warrant shortlist`: which capabilities fit a goal, and the catalog as a tree.
import type { Command } from 'commander'
import { examples, positiveNumber, running, several } from '#cli/terminal/opening/options'

export function registerShortlist(program: Command): void {
  const command = program
    .command('shortlist')
    .description('print the tools that fit a goal; it permits nothing and records nothing')
    .argument('[goal]', 'what is to be done, in plain words; with --browse: a node of the tree')
    .option('--browse', 'print the catalog as a tree, one node at a time')
    .option(
      '--max <n>',
      'how many cards at most: 10 if not given, and never more than 20',
      positiveNumber,
    )
    .option('--budget <tokens>', 'for all cards together: 2000 if not given', positiveNumber)
    .option(
      '--namespace <name>',
      'only this namespace and what is below it; repeat for more',
      several,
    )
    .option('--tag <tag>', 'only what has this tag; repeat for more', several)
    .option('--exclude <id>', 'an id or a tag that is left out; repeat for more', several)
    .action(running(async () => (await import('./run.ts')).shortlistCommand))
  examples(command, [
    'warrant shortlist "send Ann a message that I am late"',
    'warrant shortlist "refund an order" --namespace stripe --max 3 --json',
    'warrant shortlist --browse',
    'warrant shortlist --browse aws/ec2',
    '',
    'What is left out may be asked for all the same, and what is printed may be forbidden.',
  ])
}
