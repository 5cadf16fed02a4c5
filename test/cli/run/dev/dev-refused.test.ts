// What `warrant dev` refuses, and what others refuse of what it made.
import { request } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, hasTerminals } from '../../at-terminal.ts'
import { keysOf, runChild } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { devIn } from './dev-started.ts'

async function keyIn(cwd: string): Promise<string> {
  const [name = ''] = (await readdir(keysOf(cwd))).filter((one) => one.startsWith('dev-'))
  return join(keysOf(cwd), name)
}

describe('dev refuses', () => {
  test.each(['0.0.0.0:0', '[::]:0', '192.0.2.7:7718', 'example.org:7718'])(
    'to serve at %s, and begins nothing',
    async (address) => {
      const cwd = await temporaryFolder()
      for (const door of ['--http', '--console']) {
        const refused = await runChild(['dev', door, address], { cwd, isBare: true })
        expect(refused).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('this machine alone'),
        })
      }
      expect(await readdir(cwd)).toEqual([])
    },
  )

  test('a log that it did not begin, and leaves it where it is', async () => {
    const cwd = await temporaryFolder()
    await runChild(['init', '--as', 'ann'], { cwd })
    const before = await runChild(['log', '--json'], { cwd })
    for (const more of [[], ['--fresh']]) {
      const refused = await runChild(['dev', '--http', '0', ...more], { cwd, isBare: true })
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('was not begun by `warrant dev`'),
      })
    }
    expect((await runChild(['log', '--json'], { cwd })).stdout).toBe(before.stdout)
  })

  test('a log that was marked later, by someone who may change its catalog', async () => {
    const cwd = await temporaryFolder()
    await runChild(['init', '--as', 'ann'], { cwd })
    const catalog = JSON.stringify({ dev: true })
    const marked = ['catalog', 'import', '-', '--key', 'ann', '--yes']
    const imported = await runChild(marked, { cwd, input: catalog, isBare: true })
    expect(imported).toMatchObject({ code: 0 })
    const refused = await runChild(['dev', '--http', '0'], { cwd, isBare: true })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not begun') })
  })

  test('another host, a page of elsewhere, and who has no login', async () => {
    const cwd = await temporaryFolder()
    const { url, token } = await devIn(cwd)
    const asks = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${url}/v1/standings`, { headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.once('error', reject)
        sent.end()
      })
    const authorization = `Bearer ${token}`
    expect(await asks({ authorization })).toBe(200)
    expect(await asks({ authorization, host: 'evil.example' })).toBe(421)
    expect(await asks({ authorization, origin: 'https://evil.example' })).toBe(403)
    expect(await asks({ authorization, origin: url })).toBe(403)
    expect(await asks({})).toBe(401)
  })
})

describe('what dev made', () => {
  test('is refused in production, and doctor says why', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const found = await runChild(['doctor', '--json'], { cwd })
    expect(found.stdout).toContain('it was begun by `warrant dev`')
    const up = await runChild(['up', '--production'], { cwd, isBare: true })
    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it was begun by `warrant dev`'),
    })
  })

  test('signs nothing where no person is at a terminal', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const key = await keyIn(cwd)
    for (const words of [
      ['suspend', 'my-agent', '--key', key, '--yes'],
      ['apply', 'warrant', '--key', key, '--yes'],
    ]) {
      const refused = await runChild(words, { cwd, isBare: true })
      expect({ words, ...refused }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no person is at a terminal here'),
      })
    }
  })

  test.runIf(hasTerminals)('signs at one, in its own log and in no other', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const key = await keyIn(cwd)
    const own = await atTerminal(['suspend', 'my-agent', '--key', key, '--yes'], { cwd }, [])
    expect(own).toMatchObject({ code: 0 })
    const init = await runChild(['init', 'other', '--as', 'ann'], { cwd })
    expect(init.stdout).not.toContain('dev-')
    const other = join(cwd, 'other')
    const env = { WARRANT_KEYS: keysOf(cwd) }
    const words = ['suspend', 'my-agent', '--key', key, '--yes']
    const refused = await atTerminal(words, { cwd: other, env }, [])
    expect(refused).toMatchObject({
      code: 1,
      screen: expect.stringContaining('signs in a log of `warrant dev`, and in no other'),
    })
    const asOwn = await runChild(['suspend', 'my-agent', '--key', 'ann', '--yes'], {
      cwd: other,
      env,
    })
    expect(asOwn).toMatchObject({ code: 0 })
  })

  test.runIf(hasTerminals)('goes on at no terminal whose user has another key', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const env = { WARRANT_KEYS: join(cwd, 'elsewhere') }
    const seen = await atTerminal(['dev', '--http', '0', '--console', '0'], { cwd, env }, [])
    expect(seen).toMatchObject({
      code: 1,
      screen: expect.stringContaining('the key that began this log is not among yours'),
    })
  })
})
