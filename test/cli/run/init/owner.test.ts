// Who begins a log: asked at a terminal, else taken from what the machine knows, and never `you`
// nor an address.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { atTerminal, hasTerminals } from '../../at-terminal.ts'
import { runChild } from '../../../support/cli-process.ts'
import { keysOf } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const Owners = z.object({ principals: z.array(z.object({ id: z.string() })) })

/** A machine on which git knows that name, or none. */
async function machine(gitName: string | null) {
  const cwd = await temporaryFolder()
  const settings = gitName === null ? '' : `[user]\n\tname = ${gitName}\n`
  const file = join(cwd, 'gitconfig')
  await writeFile(file, settings)
  const env = { WARRANT_USER: '', GIT_CONFIG_GLOBAL: file, GIT_CONFIG_NOSYSTEM: '1' }
  return { cwd, env }
}

async function ownerIn(cwd: string): Promise<string | undefined> {
  const text = await readFile(join(cwd, 'warrant', 'catalog.json'), 'utf8')
  return Owners.parse(JSON.parse(text)).principals[0]?.id
}

describe('who begins a log', () => {
  test.each([
    ['Ann Smith', 'ann-smith'],
    ['Zoë Ångström', 'zoe-angstrom'],
    ['ann@example.org', 'ann'],
  ])('has the name that git knows, %s, without asking where no terminal is', async (name, id) => {
    const { cwd, env } = await machine(name)
    expect(await runChild(['init'], { cwd, env, isBare: true })).toMatchObject({ code: 0 })
    expect(await ownerIn(cwd)).toBe(id)
    expect(await readFile(join(keysOf(cwd), `${id}.pem`), 'utf8')).toContain('PRIVATE KEY')
  })

  test.each(['you', '王', '…', null])('is the account where git knows %s', async (name) => {
    const { cwd, env } = await machine(name)
    await runChild(['init'], { cwd, env, isBare: true })
    const other = await machine(null)
    await runChild(['init'], { ...other, isBare: true })
    const id = await ownerIn(cwd)
    expect(id).toMatch(/^[a-z0-9]/)
    expect(id).not.toBe('you')
    expect(id).toBe(await ownerIn(other.cwd))
  })

  test('goes on with the key of before, and with what a setting says', async () => {
    const { cwd, env } = await machine('Ann Smith')
    await runChild(['init', 'one', '--as', 'bob'], { cwd, env: { ...env, WARRANT_USER: 'olga' } })
    expect(await ownerIn(join(cwd, 'one'))).toBe('bob')
    await runChild(['init', 'two'], { cwd, env: { ...env, WARRANT_USER: 'olga' } })
    expect(await ownerIn(join(cwd, 'two'))).toBe('olga')
    await runChild(['init', 'three', '--as', 'bob'], { cwd, env })
    expect(await ownerIn(join(cwd, 'three'))).toBe('bob')
    const asked = ['ask', 'send_email', '--justification', 'Ann asked for her invoice']
    for (const folder of ['one', 'two', 'three']) {
      expect(await runChild(asked, { cwd: join(cwd, folder), env })).toMatchObject({ code: 0 })
    }
  })

  test('is set by a flag, as an id that is no address', async () => {
    const { cwd, env } = await machine(null)
    const made = await runChild(['init', '--as', 'Ann Smith <ann@example.org>'], { cwd, env })
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('`ann-smith-ann`') })
    for (const wrong of ['you', 'You', '…', '王', '@example.org']) {
      const refused = await runChild(['init', 'other', '--as', wrong], { cwd, env })
      expect(refused).toMatchObject({ code: 2, stdout: '' })
    }
  })

  test.runIf(hasTerminals)('is asked at a terminal, until it is a name', async () => {
    const { cwd, env } = await machine('Ann Smith')
    const typed = [
      { after: '[ann-smith]: ', line: 'you' },
      { after: '[ann-smith]: ', line: 'Bob' },
    ]
    const seen = await atTerminal(['init'], { cwd, env }, typed)
    expect(seen).toMatchObject({ code: 0, screen: expect.stringContaining('`bob`') })
    expect(await ownerIn(cwd)).toBe('bob')
  })

  test.runIf(hasTerminals)('is what is offered where an empty line is typed', async () => {
    const { cwd, env } = await machine('Ann Smith')
    const seen = await atTerminal(['init'], { cwd, env }, [{ after: '[ann-smith]: ', line: '' }])
    expect(seen).toMatchObject({ code: 0 })
    expect(await ownerIn(cwd)).toBe('ann-smith')
  })
})
