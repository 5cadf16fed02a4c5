// `warrant standing`: where agents stand by what was found of their work; with `--replay` lines of
// scores that no log has.
import type { Command } from 'commander'
import { runAsked, askedCommand } from '#cli/terminal/asked/command'

const asks = {
  list: 'standings',
  one: 'standing',
  argument: '; with --replay a file of NDJSON, or `-`',
  examples: [`echo '{"scores":[1,-1]}' | warrant standing --replay`],
} as const

export function registerStanding(program: Command): void {
  askedCommand(program, asks)
    .option('--replay', 'fold the scores of each line, from its `start` (NDJSON in and out)')
    .action(async (meant: string | undefined, _options: unknown, called: Command) => {
      const { replay = false } = called.opts<{ readonly replay?: boolean }>()
      if (!replay) return runAsked(asks, meant, called)
      const { standingLines } = await import('../work/lines.ts')
      process.exitCode = await standingLines(meant)
    })
}
