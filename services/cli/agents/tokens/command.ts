// `warrant tokens`: the credentials by which callers of the HTTP server are known. They are no
// warrants, which `warrant token` is about.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'

export function registerTokens(program: Command): void {
  const tokens = program
    .command('tokens')
    .description('logins of callers of `warrant up http` (for warrants see `warrant token`)')
  const create = withFile(
    tokens
      .command('create')
      .description('make a login for a principal and print it, this one time')
      .argument('<principal>', 'whose it is: the catalog must assign the door to it, `via=http`')
      .option('--expires <time>', 'after how long it ends: 12h, 30d (30d), or never', lifetime)
      .option('--name <text>', 'what it is for, to recognise it in the list', shortText)
      .addOption(
        new Option('--door <door>', 'for `warrant up http`, or to read by `warrant mcp serve`')
          .choices(['http', 'audit'])
          .default('http'),
      ),
  ).action(running(async () => (await import('./run.ts')).createTokenFor))
  examples(create, [
    'warrant tokens create my-agent',
    'TOKEN=$(warrant tokens create my-agent --expires 12h --name laptop)',
    'warrant tokens create ann --door audit',
    '',
    'Who has it speaks for that principal until it ends. Only its digest is kept.',
  ])
  const list = withFile(
    tokens.command('list').description('list the logins: whose they are, and until when'),
  ).action(running(async () => (await import('./run.ts')).listTokens))
  examples(list, ['warrant tokens list'])
  const revoke = withFile(
    tokens
      .command('revoke')
      .description('take a login back: running servers refuse it from then on')
      .argument('<id>', 'as `warrant tokens list` has it'),
  ).action(running(async () => (await import('./run.ts')).revokeTokenOf))
  examples(revoke, ['warrant tokens revoke 3f9c2ab01d47'])
}

function withFile(command: Command): Command {
  return command.option('--tokens <file>', 'where they are kept (else beside the log)')
}

const units: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
const lifetimeMsMax = 3_650 * 86_400_000

/** In milliseconds; null for one that never ends. */
function lifetime(text: string): number | null {
  if (text === 'never') return null
  const [, digits = '', unit = ''] = /^([1-9][0-9]{0,6})([mhd])$/.exec(text) ?? []
  const ms = Number(digits) * (units.get(unit) ?? 0)
  if (ms > 0 && ms <= lifetimeMsMax) return ms
  throw new InvalidArgumentError('Expected a time such as 30m, 12h or 30d, or never.')
}

function shortText(text: string): string {
  if (text.length > 0 && text.length <= 256 && !/\p{Cc}/u.test(text)) return text
  throw new InvalidArgumentError('Expected up to 256 characters in one line.')
}
