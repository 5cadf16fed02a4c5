// `warrant replay`: derives every verdict again and compares.
import { InvalidArgumentError, type Command } from 'commander'
import { headOf, type ChainHead } from '#replay/chain'
import { examples, running } from '#cli/terminal/opening/options'

export function registerReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('derive every verdict again from the log, and compare it byte for byte')
    .option('--intent <intent>', 'compare only the facts about this intent')
    .option(
      '--head <position:digest>',
      'what the log must contain, as an earlier replay printed it',
      head,
    )
    .option(
      '--allow-unchecked',
      'exit 0 even if something depends on eras or callback modules that are not here',
    )
    .option('--strict', 'exit 5 also if a fact is late or overtaken')
    .action(running(async () => (await import('./run.ts')).replayLog))
  examples(command, [
    'warrant replay',
    'warrant replay --intent 7QK2M0XA --json',
    '',
    'warrant replay --head 40:sha256:9f86d081…',
    '',
    'Exit code 5 if anything differs, is missing or does not derive, and if something was begun',
    'without an allow, for another verdict or too late, or ended unbegun. Exit code 7 if none of',
    'that is so, but something cannot be checked here: it depends on eras that are not in this',
    'log, or on callback modules that are not beside it.',
    'A fact is late if its time is more than 60 s before or 5 s after it was appended, and',
    'overtaken if something between its basis and itself changes the answer: these are counted,',
    'and end it with 5 only with --strict.',
    'Keep the head elsewhere: given as --head, a log whose end was cut or of which anything was',
    'changed fails with 5. Where eras were removed, the head covers what is after their snapshot.',
  ])
}

function head(text: string): ChainHead {
  const given = headOf(text)
  if (given !== null) return given
  throw new InvalidArgumentError(
    'Expected the head that replay prints: <position>:sha256:<digits>.',
  )
}
