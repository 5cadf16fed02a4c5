// `warrant console`: who may use the console by what, and whether a server gives what the release
// does. The server itself is `warrant up console`.
import type { Command } from 'commander'
import { examples, running, withSigner } from '#cli/terminal/opening/options'
import { spanOption } from '#cli/terminal/moment-option'

const urlDefault = 'http://localhost:7719'

export function registerConsole(program: Command): void {
  const command = program
    .command('console')
    .description('passkeys and links of people who use `warrant up console`')
  const enrol = withSigner(
    withUrl(
      command
        .command('enrol')
        .description('let a person make a passkey, and sign it into the catalog')
        .argument('<person>', 'a principal of the catalog that is no one’s agent'),
    ).option('--for <time>', 'how long the link is good (15m)', spanOption),
  ).action(running(async () => (await import('./enrol.ts')).enrolPerson))
  examples(enrol, [
    'warrant console enrol ann',
    'warrant console enrol ann --url https://console.example --as olga',
    '',
    'It prints a link that works once, waits until the passkey is made, and shows a fingerprint:',
    'the person has the same on the screen. Only compare it by a way that no one else can use.',
  ])
  const link = withSigner(
    withUrl(
      command
        .command('link')
        .description('print a link by which a person looks at the console once')
        .argument('<person>', 'oneself, or as a policy admin anyone'),
    ).option('--for <time>', 'how long it is good (15m)', spanOption),
  ).action(running(async () => (await import('./enrol.ts')).printLink))
  examples(link, [
    'warrant console link ann',
    '',
    'Who opens it first reads as that person for a while. It signs and decides nothing.',
  ])
  const list = command
    .command('enrolments')
    .description('list the passkeys of people')
    .action(running(async () => (await import('./enrol.ts')).listEnrolments))
  examples(list, ['warrant console enrolments'])
  const digest = command
    .command('digest')
    .description('print the digests of the files that this release serves as the page')
    .option('--url <url>', 'compare them with what that server gives')
    .action(running(async () => (await import('./digest.ts')).printDigests))
  examples(digest, [
    'warrant console digest',
    'warrant console digest --url https://console.example',
    '',
    'Run it elsewhere than on the server: a captured one would say what is wanted.',
  ])
}

function withUrl(command: Command): Command {
  return command.option('--url <url>', 'where browsers find the console', urlDefault)
}
