// `warrant replay`: derives every decision again and compares.
import type { Command } from 'commander'
import { examples } from './options.ts'
import type { ReplayOptions } from './run/replay.ts'

export function registerReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('derive every decision again from the log, and compare it byte for byte')
    .option('--intent <intent>', 'compare only the facts about this one')
    .option('--strict', 'end with 5 also where a fact is late or overtaken')
    .action(async (_options: unknown, called: Command) => {
      const { replayLog } = await import('./run/replay.ts')
      process.exitCode = await replayLog(called.optsWithGlobals<ReplayOptions>())
    })
  examples(command, [
    'warrant replay',
    'warrant replay --intent 7QK2M0XA --json',
    '',
    'It ends with 5 if anything differs, is missing or does not derive. A fact is late if its',
    'time is more than 60 s before or 5 s after it was appended, and overtaken if something',
    'between its basis and itself changes the answer: counted, and 5 only with --strict.',
  ])
}
