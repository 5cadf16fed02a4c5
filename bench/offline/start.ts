// What it costs to begin: the package as it is installed, each command as a process of its own, in
// turn with a process of Node that does nothing.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { servedHooks, toolEvent } from '../doors/hooks.ts'
import { inFolder } from '../deployment.ts'
import { atMost, inRounds, ratioAtMost, type Bench, type Figure } from '../harness.ts'
import { installed } from '../package.ts'
import { ended, type Begun } from './begun.ts'

/** With the first, as many asks in a minute as the agent may make. */
const rounds = 9
const why = 'Ann asked for her invoice'
const ask = ['ask', 'send_email', '--arg', 'to=ann@example.org', '--justification', why]
const opens =
  "const { connect } = await import('warrant-runtime');" +
  "const one = await connect({ as: 'my-agent' }); await one.close()"
const bare = 'Node alone'
const [asks, sends] = ['`warrant ask`, to the verdict', 'the hook that asks a server']
const [runs, checks] = ['`hook run` without a server', '`hook check` of one command']

export const bench: Bench = {
  title: 'What a process costs from its begin to its end, of the package as npm installs it',
  run: () =>
    inFolder(async (folder) => {
      const main = installed(folder)
      const server = await servedHooks(folder)
      const tokenFile = join(folder, 'agent.token')
      writeFileSync(tokenFile, server.token)
      const send = join(dirname(main), '../hooks/send.js')
      const input = toolEvent()
      const soon = atMost(400)
      const run = [main, 'hook', 'run', '--for', 'claude-code', '--offline']
      const ways = new Map<string, Begun>([
        [bare, { words: ['--eval', '0'] }],
        ['`warrant --help`', { words: [main, '--help'] }],
        ['`warrant log`', { words: [main, 'log'] }],
        ['`warrant replay`', { words: [main, 'replay'] }],
        [asks, { words: [main, ...ask], cpu: atMost(0.4) }],
        ['a program that opens a log', { words: ['--input-type=module', '--eval', opens] }],
        [sends, { words: [send, 'claude-code', server.url, tokenFile], input, ms: ratioAtMost(2) }],
        [runs, { words: run, input, ms: soon }],
        [checks, { words: [main, 'hook', 'check'], input: '{"command":"ls"}\n', ms: soon }],
      ])
      await ended({ words: [main, 'init'] }, folder)
      const ran = await inRounds(rounds, async () => {
        let sample: Record<string, number> = {}
        for (const [what, begun] of ways) {
          const { ms, cpu } = await ended(begun, folder)
          sample = { ...sample, [what]: ms, [cpuOf(what)]: cpu }
        }
        return sample
      })
      await server.close()
      // The first is what all others are against.
      return [...ways]
        .slice(1)
        .flatMap(([what, aims]): readonly Figure[] => [
          ran.figure(what, 'ms', { against: bare, aims: aims.ms ?? [] }),
          ran.figure(cpuOf(what), 's', { against: cpuOf(bare), aims: aims.cpu ?? [] }),
        ])
    }),
}

function cpuOf(what: string): string {
  return `${what}, CPU`
}
