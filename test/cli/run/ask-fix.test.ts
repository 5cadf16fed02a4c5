// `ask --fix`: a denial names the line to change, and the smallest change is signed at a terminal
// by a person, or nothing is.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, hasTerminals } from '../at-terminal.ts'
import { runChild } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asking = ['ask', 'delete_customer', '--arg', 'id=17', '--justification', 'Ann asked for it']

async function begun() {
  const cwd = await temporaryFolder()
  await run(['init', '--tool', 'delete_customer'], { cwd })
  const file = join(cwd, 'warrant/catalog.json')
  return { cwd, file, catalog: () => readFile(file, 'utf8') }
}

/** The text of the line that is named. */
function lineNamed(said: string, text: string): string {
  const at = /warrant\/catalog\.json:(?<line>\d+)/.exec(said)?.groups?.['line']
  return text.split('\n')[Number(at) - 1] ?? ''
}

test('a denial names the line of the entry, and of the rule, that refused it', async () => {
  const { cwd, file, catalog } = await begun()
  const denied = await run(asking, { cwd })
  expect(denied.code).toBe(3)
  expect(lineNamed(denied.stdout, await catalog())).toContain('"my-agent"')
  expect(denied.stdout).toContain('--fix')
  const rule = '"conditions": [{ "name": "never", "when": "true", "effect": "deny" }],'
  const text = (await catalog()).replace('"argsSchema"', `${rule}\n"argsSchema"`)
  await writeFile(file, text.replace('"writer"', '"writer", "admin"'))
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  const ruled = await run(asking, { cwd })
  expect(ruled.stdout).toContain('the rule `never`: warrant/catalog.json:')
  expect(lineNamed(ruled.stdout, await catalog())).toContain('"never"')
})

test.runIf(hasTerminals)(
  'what a person signs is in the log and in the file, and is asked again',
  async () => {
    const { cwd, catalog } = await begun()
    const typed = [{ after: '[y/N] ', line: 'y' }]
    const seen = await atTerminal([...asking, '--fix'], { cwd }, typed)
    expect(seen.code).toBe(0)
    expect(seen.screen).toMatch(/\+ .*"admin"/)
    expect(seen.screen).toContain('may use of class DESTRUCTIVE: no other tool now')
    expect(seen.screen).toContain('and then today')
    expect(seen.screen).toContain('ALLOW  delete_customer')
    expect(await catalog()).toContain('"admin"')
    expect(await run(['plan', 'warrant', '--check'], { cwd })).toMatchObject({ code: 0 })
  },
)

test.runIf(hasTerminals)(
  'a no changes nothing, and a call that no entry lets is not offered',
  async () => {
    const { cwd, catalog } = await begun()
    const before = await catalog()
    const no = [{ after: '[y/N] ', line: 'n' }]
    expect((await atTerminal([...asking, '--fix'], { cwd }, no)).code).not.toBe(0)
    expect(await catalog()).toBe(before)
    expect(await run(asking, { cwd })).toMatchObject({ code: 3 })
    await run(['suspend', 'my-agent'], { cwd })
    const seen = await atTerminal([...asking, '--fix'], { cwd }, [])
    expect(seen).toMatchObject({
      code: 3,
      screen: expect.stringContaining('no change of one entry'),
    })
  },
)

test.runIf(hasTerminals)(
  'a tool that is not known is one of the class that its name says',
  async () => {
    const { cwd, catalog } = await begun()
    const words = ['ask', 'read_orders', '--justification', 'Ann asked for her orders', '--fix']
    const seen = await atTerminal(words, { cwd }, [{ after: '[y/N] ', line: 'y' }])
    expect(await catalog()).toContain('"read_orders"')
    // Its name does not say that it destroys, nor that it does not.
    expect(seen.screen).toContain('DENY   read_orders')
    expect(seen.screen).toContain('DESTRUCTIVE')
  },
)

test('no one signs where no terminal is, and nothing is asked', async () => {
  const { cwd, catalog } = await begun()
  const before = await catalog()
  const refused = await runChild([...asking, '--fix'], { cwd, isBare: true })
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('terminal'),
  })
  expect(await catalog()).toBe(before)
  expect((await run(['log', '--kind', 'vlp'], { cwd })).stdout).not.toContain('delete_customer')
  expect(await run([...asking, '--fix', '--json'], { cwd })).toMatchObject({ code: 2 })
  expect(await runChild([...asking, '--fix', '--yes'], { cwd })).toMatchObject({ code: 2 })
})
