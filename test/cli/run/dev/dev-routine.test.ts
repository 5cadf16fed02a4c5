// The key `r` of `warrant dev`: an answer, and a grant for later calls like it, whose text is shown
// and confirmed before either is signed.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beforeTool } from '../../../shell/hooks/host-events.ts'
import { runChild } from '../../../support/cli-process.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { atTerminal, hasTerminals, type Typed } from '../../at-terminal.ts'
import { devIn } from './dev-started.ts'

let calls = 0

/** A folder with a log of `dev` that coding agents ask through hooks. */
async function hooked() {
  const cwd = await temporaryFolder()
  await (await devIn(cwd, ['--hooks'])).end()
  const asked = async (tool: string, input: object): Promise<boolean> => {
    calls += 1
    const event = JSON.stringify(beforeTool('claude-code', { tool, input, cwd, id: `c${calls}` }))
    const how = ['hook', 'run', '--for', 'claude-code', '--log', '.warrant/log.db', '--root', cwd]
    const words = [...how, '--as', 'coding-agent']
    return (await runChild(words, { cwd, input: event, isBare: true })).code === 0
  }
  return {
    cwd,
    bash: (command: string) => asked('Bash', { command }),
    write: (path: string) => asked('Write', { file_path: join(cwd, path), content: 'a\n' }),
    dev: (typed: readonly Typed[]) =>
      atTerminal(['dev', '--http', '0', '--console', '0'], { cwd }, typed),
    grants: async () => (await runChild(['grants', '--json'], { cwd })).stdout,
    reviews: async () => (await runChild(['reviews'], { cwd })).stdout,
  }
}

const offer = 'r shows a grant for later ones like it'
const confirm = 'sign this grant? [y/N] '
const end = { line: '\u0003', isKeys: true } as const
const key = (after: string, line: string): Typed => ({ after, line, isKeys: true })

describe.runIf(hasTerminals)('r at the terminal of dev', () => {
  test('shows the whole grant, and signs it beside the answer', async () => {
    const { write, dev } = await hooked()
    expect(await write('src/a.ts')).toBe(false)
    const { code, screen } = await dev([
      key(offer, 'r'),
      { after: confirm, line: 'y' },
      { after: 'takes it back', ...end, meanwhile: () => write('src/c.ts') },
    ])
    expect(code).toBe(0)
    const [shown = ''] = screen.split(confirm)
    for (const part of ['"write.inside"', '1000 calls', 'until', 'would have let through']) {
      expect(shown).toContain(part)
    }
    expect(screen).toContain('approved by ann')
    expect(screen).toMatch(/ALLOW .* by the grant [0-9A-Z]{26}(?![.\w])/)
    expect(await write('src/a.ts')).toBe(true)
    expect(await write('src/b.ts')).toBe(true)
    expect(await write('../beside.ts')).toBe(false)
  })

  test('signs nothing without a yes that follows what is shown', async () => {
    const { write, dev, grants, reviews } = await hooked()
    await write('src/a.ts')
    const { screen } = await dev([
      // A yes that came before the question was shown does not count.
      key(offer, 'ry'),
      { after: confirm, line: '' },
      key('left as it is', 'r'),
      { after: confirm, line: 'no' },
      key('left as it is', 'r'),
      key(confirm, 'y\u001B'),
      { after: 'left as it is', ...end },
    ])
    expect(screen.match(/left as it is/g)).toHaveLength(3)
    expect([await grants(), await reviews()]).toEqual([
      expect.stringContaining('"count":0'),
      expect.stringContaining('src/a.ts'),
    ])
  })

  test('is offered where the command would take it, and says else why not', async () => {
    const { bash, dev, grants, reviews } = await hooked()
    await bash('rm -r src')
    const { screen } = await dev([
      key('a approves, d declines', 'r'),
      { after: 'is asked about each time', ...end },
    ])
    expect(screen).not.toContain(offer)
    expect([await grants(), await reviews()]).toEqual([
      expect.stringContaining('"count":0'),
      expect.stringContaining('rm -r src'),
    ])
  })

  test('signs no grant where the answer no longer counts', async () => {
    const { cwd, write, dev, grants } = await hooked()
    await write('src/a.ts')
    const declines = async (): Promise<void> => {
      const intent = /warrant approve (\S+)/.exec((await runChild(['reviews'], { cwd })).stdout)
      const declined = await atTerminal(
        ['decline', intent?.[1] ?? '', '--note', 'not now'],
        { cwd },
        [{ after: '[y/N]', line: 'y' }],
      )
      expect(declined.screen).toContain('DENY')
    }
    const { screen } = await dev([
      key(offer, 'r'),
      { after: confirm, line: 'y', meanwhile: declines },
      { after: 'no review', ...end },
    ])
    expect(screen).not.toContain('approved by ann')
    expect(await grants()).toContain('"count":0')
  })
})
