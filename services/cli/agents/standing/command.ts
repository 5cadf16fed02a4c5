// `warrant standing`: where agents stand by what was found of their work; with `--replay` lines of
// scores that no log has.
import type { Command } from 'commander'
import { withMoment } from '#cli/terminal/opening/moment'
import { examples } from '#cli/terminal/opening/options'
import type { StandingOptions } from './show.ts'

interface StandingCalled extends StandingOptions {
  readonly replay?: boolean
}

export function registerStanding(program: Command): void {
  const command = withMoment(
    program
      .command('standing')
      .description('show where agents stand, or one of them with its history')
      .argument('[agent]', 'the principal; with --replay a file of NDJSON, or `-`'),
  )
    .option('--replay', 'fold the scores of each line, from its `start` (NDJSON in and out)')
    .action(async (meant: string | undefined, _options: unknown, called: Command) => {
      const { replay = false, ...options } = called.optsWithGlobals<StandingCalled>()
      if (replay) {
        const { standingLines } = await import('../work/lines.ts')
        process.exitCode = await standingLines(meant)
        return
      }
      const { showStanding } = await import('./show.ts')
      process.exitCode = await showStanding(meant, options)
    })
  examples(command, [
    'warrant standing',
    'warrant standing my-agent --at 2026-05-01T12:00Z',
    `echo '{"scores":[1,-1]}' | warrant standing --replay`,
  ])
}
