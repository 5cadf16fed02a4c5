// `warrant dev` as a process of its own, without a terminal.
import { once } from 'node:events'
import { expect } from 'vitest'
import { start } from '../../../support/cli-process.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'

/** Starts it without a terminal; `lines` is what it has printed. */
export async function devIn(cwd: string, more: readonly string[] = []) {
  const words = ['dev', '--as', 'ann', '--http', '0', ...more]
  const child = start(words, { cwd, isBare: true })
  const ended = once(child, 'exit')
  endWithTest(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let lines = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (lines += chunk.toString()))
  }
  await expect.poll(() => lines).toContain('On one account there is no second person')
  const [, url = '', token = ''] = /WARRANT_URL=(\S+) WARRANT_TOKEN=(\S+)/.exec(lines) ?? []
  return {
    url,
    token,
    lines: () => lines,
    async end() {
      child.kill('SIGINT')
      return (await ended)[0]
    },
  }
}
