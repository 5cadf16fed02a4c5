// What a coding agent waits for before each tool where its hook is on a log in a file: the package
// as npm installs it, with the process that keeps the log open and without one, in turn with a
// process of Node that does nothing. A resident process that took none of the calls is refused.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { toolEvent } from '../doors/hooks.ts'
import { inFolder } from '../deployment.ts'
import { atMost, inRounds, quantile, ratioAtMost, type Bench } from '../harness.ts'
import { installed } from '../package.ts'
import { ended, type Begun } from './begun.ts'

const rounds = 5
const calls = 8
const bare = 'Node alone'
const [kept, alone] = ['`hook run`, the log kept open', '`hook run`, opening the log']

export const bench: Bench = {
  title: 'A hook on a log in a file, as a process from its begin to its end',
  run: () =>
    inFolder(async (folder) => {
      const main = installed(folder)
      const runtimeFolder = join(folder, 'run')
      mkdirSync(runtimeFolder)
      chmodSync(runtimeFolder, 0o700)
      const env = { XDG_RUNTIME_DIR: runtimeFolder, WARRANT_USER: 'you', WARRANT_HOOK_IDLE: '600' }
      const run = (words: readonly string[], more: Omit<Begun, 'words'> = {}) =>
        ended({ words: [main, ...words], ...more, env: { ...env, ...more.env } }, folder)
      const hook = ['hook', 'run', '--for', 'claude-code', '--root', '/srv/shop']
      const asking = () => ({ input: toolEvent(), says: '"allow"' })
      await run(['init', '--for', 'claude-code'])
      await run(hook, asking())
      for (;;) if ((await run(['hook', 'resident', '--json'])).text.includes('"pid"')) break
      const ways = new Map([
        [bare, () => ended({ words: ['--eval', '0'] }, folder)],
        [kept, () => run(hook, asking())],
        [alone, () => run(hook, { ...asking(), env: { WARRANT_HOOK_IDLE: '0' } })],
      ])
      const ran = await inRounds(rounds, async () => {
        const all = new Map([...ways.keys()].map((what) => [what, { ms: [0], cpu: [0] }]))
        for (const times of all.values()) times.ms.length = times.cpu.length = 0
        for (let call = 0; call < calls; call += 1) {
          for (const [what, begin] of ways) {
            const { ms, cpu } = await begin()
            all.get(what)?.ms.push(ms)
            all.get(what)?.cpu.push(cpu)
          }
        }
        return Object.fromEntries(
          [...all].flatMap(([what, { ms, cpu }]) => [
            [`${what}, p50`, quantile(ms, 0.5)],
            [`${what}, p95`, quantile(ms, 0.95)],
            [`${what}, CPU`, quantile(cpu, 0.5)],
          ]),
        )
      })
      const { text } = await run(['hook', 'resident', '--stop', '--json'])
      const took = Number(/"calls":(?<calls>\d+)/.exec(text)?.groups?.['calls'])
      if (!(took >= rounds * calls)) throw new Error(`of the calls it took ${took}`)
      return [kept, alone].flatMap((what) => {
        const aims =
          what === kept ? { p50: ratioAtMost(2), p95: atMost(150) } : { p50: [], p95: [] }
        return [
          ran.figure(`${what}, p50`, 'ms', { against: `${bare}, p50`, aims: aims.p50 }),
          ran.figure(`${what}, p95`, 'ms', { against: `${bare}, p95`, aims: aims.p95 }),
          ran.figure(`${what}, CPU`, 's', { against: `${bare}, CPU` }),
        ]
      })
    }),
}
