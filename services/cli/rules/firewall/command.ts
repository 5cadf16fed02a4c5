// The commands that show what the firewall makes of values: NDJSON in, NDJSON out, each line alone.
// They open no log and write no file.
import { Option, type Command } from 'commander'
import { frameModes } from '#firewall/frame'
import { judging } from '#cli/offline/command'
import { running } from '#cli/terminal/opening/options'

/** Adds `redact` and `frame`. */
export function registerFirewall(program: Command): void {
  const redacting = program
    .command('redact')
    .description('take out of values what is sensitive (NDJSON in and out)')
  const line = `echo '{"value":{"to":"ann@example.com"}}' | warrant redact`
  judging(redacting, [line]).action(running(async () => (await import('./lines.ts')).redactLines))
  const framing = program
    .command('frame')
    .description('show results as agents get them (NDJSON in and out)')
    .addOption(new Option('--mode <mode>', 'how much of it').choices(frameModes).default('summary'))
  const framed = `echo '{"value":[{"id":1},{"id":2}]}' | warrant frame --mode table`
  judging(framing, [framed]).action(running(async () => (await import('./lines.ts')).frameLines))
}
