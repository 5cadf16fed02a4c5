// `warrant log`: the facts in order, the intents that are still open, or the eras; turning one, and
// keeping what they come to.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { factFilters } from '#schemas/operations/facts'
import { operations } from '#schemas/operations/table'
import { runAsked, withAsked } from '#cli/terminal/asked/command'
import { usage } from '#cli/terminal/failure'
import {
  examples,
  positiveNumber,
  running,
  wholeNumber,
  withSigner,
} from '#cli/terminal/opening/options'
import type { LogOptions } from './run.ts'

export function registerLog(program: Command): void {
  const command = program.command('log').description('print the facts of the log, one per line')
  withAsked(command, 'facts', { names: Object.keys(factFilters) })
    .option(
      '--from <place>',
      'start at this position (of one cell), or this time; -20 means the last 20',
      placeOr(startOf),
    )
    .option('--to <place>', 'end at this position, or this time', placeOr(wholeNumber))
    .option('--limit <count>', 'print at most this many', positiveNumber)
    .option('-f, --follow', 'keep printing new facts as they are appended')
    .option('--csv', 'print rows for a spreadsheet')
    .addOption(
      new Option(
        '--format <format>',
        'csv, json, or ocsf: decisions as events of that standard, one a line',
      ).choices(['csv', 'json', 'ocsf']),
    )
    .option(
      '--open',
      'list what is open instead: intents without a verdict, who must answer, and calls',
    )
    .option('--eras', 'list the eras instead, with their first and last positions')
    .option('--void', 'list the facts that are ignored instead, and why')
  withAsked(command, 'openIntents', { about: 'of what is open: ' })
  command.action(async (_options: unknown, called: Command) => {
    const options = meantBy(called.optsWithGlobals<LogGiven>())
    if (options.open === true) return runAsked({ list: 'openIntents' }, undefined, called)
    const { log } = await import('./run.ts')
    process.exitCode = await log(options)
  })
  examples(command, [
    'warrant log --from -20',
    'warrant log --since 24h --outcome deny',
    'warrant log --agent my-agent --tool send_email --reason rate_limited',
    'warrant log --since 7d --outcome deny --csv > denials.csv',
    'warrant log --follow --format ocsf | vector --config siem.toml',
    'warrant log --name "verdict.my-agent.>" --follow',
    'warrant log --json | jq -c "select(.name | contains(\\".verdict.\\")) | .fact.data.outcome"',
    'warrant log --issue seq_gap',
    ...operations.openIntents.examples,
    'warrant log --eras',
    'warrant log --void --name "vlp.>"',
    'warrant log --where \'kind == "verdict" && tool.startsWith("send_") && size(reasons) > 1\'',
    "warrant log --decisions --since 7d --tool refund --where 'args.amount > 100.0'",
    'warrant log --decisions --where \'"ann" in approvedBy\' --csv > of-ann.csv',
    '',
    '--where may name position, time, name, kind, outcome and reasons of the fact; agent, tool,',
    'args, reason and approvedBy of the intent that it is about; and data: what the fact says, as',
    '--json shows it under fact.data; of a message, all of it. Of args and data nothing is known',
    'before: a fact that lacks what is named is not meant.',
  ])
  registerRotate(command)
  registerAutoRotate(command)
  registerAcceptRollback(command)
  registerSnapshot(command)
}

function registerAcceptRollback(log: Command): void {
  const command = withSigner(
    log
      .command('accept-rollback')
      .description('accept that the log goes on from an older state of itself')
      .option('--seen <position>', 'up to where others saw it, who refuse it', positiveNumber)
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(running(async () => (await import('./accept-rollback.ts')).acceptRollback))
  examples(command, [
    'warrant log accept-rollback --note "the disk failed, restored of Monday night"',
    'warrant log accept-rollback --seen 914',
    '',
    'It needs the key of a policy admin, and holds for all users and machines. Where this user saw',
    'less of the log than those who refuse it, --seen takes the position that they name. Who was',
    'suspended since, and what was decided since, is no longer in the log: look at it first.',
  ])
}

function registerRotate(log: Command): void {
  const command = withSigner(
    log
      .command('rotate')
      .description('seal the current era, and open the next with the current state')
      .option(
        '--reset-clock',
        'use this clock for the next era, where a wrong one stamped facts in the future',
      ),
  ).action(running(async () => (await import('./rotate.ts')).rotateLog))
  examples(command, [
    'warrant log rotate',
    'warrant log rotate --as root --key root.pem',
    'warrant log rotate --reset-clock',
    '',
    'It needs the key of a policy admin. If it is interrupted, run it again. Where the realm has',
    'cells, each is rotated in turn, up to the first that fails.',
    '',
    'On servers with accounts it needs two seeds: WARRANT_NATS_NKEY_FILE names that of the policy',
    'admin, who binds what the next era opens with, and WARRANT_NATS_OPERATOR_FILE that of the',
    'operator, who seals the stream and makes the next. First let every server know the next era:',
    'warrant nats-config --era N, and reload it (docs/run/deploy.md, “Rotate an era”).',
  ])
}

function registerAutoRotate(log: Command): void {
  const command = withSigner(
    log
      .command('auto-rotate')
      .description('let eras be rotated without a person, once they are due')
      .option('--facts <count>', 'rotate an era that has so many facts (1000000)', positiveNumber)
      .option('--days <count>', 'rotate an era that is so old (30)', positiveNumber)
      .option('--least-hours <count>', 'rotate none before, however full (1)', positiveNumber)
      .option('--keeper-key <file>', 'the key of the era keeper, made if it is not there')
      .option('--off', 'let policy admins alone rotate eras again'),
  ).action(running(async () => (await import('./auto-rotate.ts')).autoRotate))
  examples(command, [
    'warrant log auto-rotate',
    'warrant log auto-rotate --facts 500000 --days 7',
    'warrant log auto-rotate --off',
    '',
    'A policy admin signs it once; again, it keeps the terms that are not given. The era keeper',
    'has a key that rotates eras on these terms alone; the log itself holds it to them.',
    'Each sealed era is archived and derived again from its archive; nothing is taken away. On a',
    'log in a file whatever runs stages does it; on servers `warrant up eras` does, with an',
    "operator's credential.",
  ])
}

function registerSnapshot(log: Command): void {
  const command = log
    .command('snapshot')
    .description('save the state of the log, so that the next start need not fold all of it')
    .option('--check', 'compare with a fold of the whole log instead (exit 5 when it differs)')
    .option('--remove', 'remove the snapshots of this realm instead')
    .action(running(async () => (await import('./snapshot.ts')).snapshotLog))
  examples(command, [
    'warrant log snapshot',
    'warrant log snapshot --check',
    'warrant log snapshot --remove',
    '',
    'A process that follows a log long enough writes them automatically. They prove nothing.',
  ])
}

/** As it is written: a place may be a time, and a form another option. */
interface LogGiven extends Omit<LogOptions, 'from' | 'to' | 'format'> {
  readonly from?: number | string
  readonly to?: number | string
  readonly format?: 'csv' | 'json' | 'ocsf'
}

function meantBy({ from, to, format, ...rest }: LogGiven): LogOptions {
  if (typeof from === 'string' && rest.since !== undefined) throw twice('--from', '--since')
  if (typeof to === 'string' && rest.until !== undefined) throw twice('--to', '--until')
  return {
    ...rest,
    ...(from !== undefined && (typeof from === 'number' ? { from } : { since: from })),
    ...(to !== undefined && (typeof to === 'number' ? { to } : { until: to })),
    ...(format !== undefined && (format === 'ocsf' ? { format } : { [format]: true })),
  }
}

function twice(place: string, time: string): Error {
  return usage(`${place} is a time here, and so is ${time}: give one of them`)
}

/** What is not a number is a time: it is read where --since and --until are. */
function placeOr(read: (text: string) => number): (text: string) => number | string {
  return (text) => (/^-?\d+$/.test(text) ? read(text) : text)
}

function startOf(text: string): number {
  if (text.startsWith('-')) return -positiveNumber(text.slice(1))
  const position = wholeNumber(text)
  if (position === 0) throw new InvalidArgumentError('Positions begin with 1.')
  return position
}
