// `warrant reach`: where people are reached, and when not. It is kept beside the log and never in
// it.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { ChannelKind } from '#schemas/outreach/notification'
import { webhookChannels, webhookKinds } from '#schemas/outreach/webhook-channels'
import { examples, running, several } from '#cli/terminal/opening/options'

export function registerReach(program: Command): void {
  const reach = program
    .command('reach')
    .description('where people are reached when a review waits for them')
  const list = withFile(reach.command('list').description('list who is reached, and by what'))
  list.action(running(async () => (await import('./run.ts')).listReach))
  examples(list, ['warrant reach list'])
  registerSet(reach)
  const remove = withFile(
    reach
      .command('remove')
      .description('erase all that is known of a person, or of one channel')
      .argument('<person>', 'as the catalog has it')
      .addOption(new Option('--channel <kind>', 'only these places').choices(ChannelKind.options)),
  ).action(running(async () => (await import('./run.ts')).removeReach))
  examples(remove, ['warrant reach remove ann', 'warrant reach remove ann --channel push'])
  const test = withFile(
    reach
      .command('test')
      .description('send a trial message to every place where a person is reached')
      .argument('<person>', 'as the catalog has it'),
  ).action(running(async () => (await import('./run.ts')).tryReach))
  examples(test, ['warrant reach test ann'])
  const key = reach
    .command('push-key')
    .description('make the private key by which push services of browsers know who sends')
    .action(running(async () => (await import('./run.ts')).newPushKey))
  examples(key, ['(umask 077; warrant reach push-key > "$WARRANT_SECRETS/VAPID_KEY")'])
}

function registerSet(reach: Command): void {
  const set = reach
    .command('set')
    .description('set where a person is reached; what is not named stays as it is')
    .argument('<person>', 'as the catalog has it')
    .option('--mail <address>', 'an address of theirs; repeat for more', several)
  for (const kind of webhookKinds) {
    const { title } = webhookChannels[kind]
    const means = `a webhook of ${title}, by the name of the secret`
    set.option(`--${kind} <secret>`, means, several)
  }
  withFile(
    set
      .option('--quiet <hours>', 'not from then to then, such as 22:00-07:00', quietHours)
      .option('--zone <name>', 'by the clocks of that time zone, such as Europe/Vienna')
      .option('--wakes', 'what expires before those hours end comes all the same')
      .option('--no-quiet', 'at any hour'),
  ).action(running(async () => (await import('./run.ts')).setReachOf))
  examples(set, [
    'warrant reach set ann --mail ann@example.org --quiet 22:00-07:00 --zone Europe/Vienna',
    'warrant reach set ann --slack SLACK_ANN',
    'warrant reach set ann --no-quiet',
    '',
    'Browsers subscribe in the console. docs/people/notifications.md says how each is set up.',
  ])
}

function withFile(command: Command): Command {
  return command.option(
    '--reach <file>',
    'where it is kept (else WARRANT_REACH, or beside the log)',
  )
}

function quietHours(text: string): { readonly from: string; readonly to: string } {
  const [, from, to] = /^([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2})$/.exec(text) ?? []
  if (from !== undefined && to !== undefined) return { from, to }
  throw new InvalidArgumentError('Expected hours such as 22:00-07:00.')
}
