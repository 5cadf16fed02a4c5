// A process of Node from its begin to its end: how long it took, and how much of a CPU.
import { join } from 'node:path'
import { assert } from '#record/fault'
import { timed, type Aim } from '../harness.ts'
import { printed } from '../process.ts'

export interface Begun {
  readonly words: readonly string[]
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** What it has to print. */
  readonly says?: string
  readonly ms?: readonly Aim[]
  readonly cpu?: readonly Aim[]
}

/** Has the process print the microseconds of CPU that it has used, as its last line. */
const reporting =
  "data:text/javascript,import { writeSync } from 'node:fs'; process.on('exit', () => {" +
  'const { user, system } = process.cpuUsage(); writeSync(1, `\\n${user + system}`) })'

export async function ended({ words, input = '', env: more, says = '' }: Begun, cwd: string) {
  const env = { XDG_CONFIG_HOME: join(cwd, 'config'), WARRANT_LOG: '', ...more }
  let text = ''
  const ms = await timed(async () => {
    text = await printed(['--import', reporting, ...words], { input, cwd, env })
  })
  assert(text.includes(says), `it prints ${says}: ${text}`)
  return { ms, cpu: Number(text.split('\n').at(-1)) / 1e6, text }
}
