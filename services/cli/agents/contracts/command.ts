// `warrant contract`, which gives an agent a task, `claim`, by which it reports on one, and
// `contracts`, which lists them.
import { Option, type Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'
import { examples, running, several } from '#cli/terminal/opening/options'

/** Adds `contract`, `claim` and `contracts`. */
export function registerContracts(program: Command): void {
  const contract = program
    .command('contract')
    .description('give an agent a task under a contract, and print its address')
    .argument('<file>', 'the contract: JSON; `-` is standard input')
    .requiredOption('--for <worker>', 'the agent whose task it is')
    .requiredOption('--as <issuer>', 'who gives it: one of `work.issuers` in the catalog')
    .option('--workspace <id>', 'where the work will lie (else `workspace` of the contract)')
    .option('--session <id>', 'the session in which both are')
    .option('--key <file>', 'the private key of the issuer, if the catalog binds one to it')
    .action(running(async () => (await import('./claim.ts')).openContract))
  examples(contract, ['warrant contract task.json --for my-agent --as grader --workspace site'])
  registerClaim(program)
  askedCommand(program, { list: 'contracts', one: 'contract' })
}

function registerClaim(program: Command): void {
  const claim = program
    .command('claim')
    .description('report on a task as its worker: a verifier looks at what it names')
    .argument('<contract>', 'the address of the contract, or the last characters of that')
    .addOption(
      new Option('--status <status>', 'how it went').choices(['success', 'blocked', 'failed']),
    )
    .option('--folder <folder>', 'the work, as it is now in the folder of the workspace')
    .option('--commit <hex>', 'the work, as it is in the repository of the workspace')
    .option('--created <path>', 'a file that was made; may be given several times', several)
    .option('--need <text>', 'of a task that is blocked: what is needed')
    .option('--failed <text>', 'of a task that failed: what failed')
    .option('--report <file>', 'a whole report as JSON, in place of these')
    .option('--evidence <name>', 'a message of evidence; may be given several times', several)
    .option('--session <id>', 'the session in which both are')
    .option('--key <file>', 'the private key of the worker, if the catalog binds one to it')
    .action(running(async () => (await import('./claim.ts')).claimCommand))
  examples(claim, [
    'warrant claim 7QK2M0XA --status success --folder /srv/site',
    'warrant claim 7QK2M0XA --status blocked --need "the name of the page"',
    '',
    'A success names its work: what the folder holds as the verifier looks must still be that.',
  ])
}
