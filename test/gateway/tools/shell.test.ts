// Programs as tools.
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toolSecrets, scrubPattern } from '#gateway/tools/secrets'
import { shellDriver } from '#gateway/tools/shell'
import { type ToolCall, ToolFailure } from '#ports/tools'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { callOf, canary, driverConformance, failureOf, shownBy } from './driver-conformance.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import fc from 'fast-check'

const program = join(import.meta.dirname, 'tool.mjs')
const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })

async function opened() {
  const folder = await temporaryFolder()
  const file = join(folder, 'runs')
  await writeFile(file, '')
  const driver = shellDriver({ secrets })
  onTestFinished(() => driver.close())
  const shell = (mode: string, words: readonly string[] = [], rest: object = {}) => {
    return { kind: 'shell', command: [process.execPath, program, mode, file, ...words], ...rest }
  }
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter((one) => one !== '')
  const run = (mode: string, words: readonly string[] = [], args: JsonObject = {}, rest = {}) => {
    return driver.run(callOf(shell(mode, words, rest), args))
  }
  return { driver, shell, lines, run, folder }
}

driverConformance('shell', async () => {
  const { driver, shell, lines } = await opened()
  const env = { env: { SECRET: '${secret:CANARY}' } }
  return {
    driver,
    echo: (args) => {
      const words = Object.keys(args).flatMap((name) => [name, `\${args:/${name}}`])
      return callOf(shell('echo', ['--', ...words]), args)
    },
    slow: (options) => callOf(shell('slow'), {}, options),
    failing: () => callOf(shell('fail', [], env)),
    large: (bytes, bytesMax) => {
      return callOf(shell('large', ['${args:/bytes}']), { bytes }, { execution: { bytesMax } })
    },
    leaking: () => callOf(shell('leak', [], env)),
    runs: async () => (await lines()).length,
    tempting: { command: '/bin/sh', operation: 'fail', cwd: '/', kind: 'local', env: ['A=1'] },
  }
})

describe('the words of a command', () => {
  test.each([
    '$(touch was-here)',
    '`id`',
    '; rm -rf /',
    '| cat /etc/passwd',
    '&& true',
    '> x',
    '*',
    '~',
    '"',
    "'",
    '\\',
    'a b\tc\nd',
    '${secret:CANARY}',
    '%PATH%',
    '',
  ])('no shell reads %j', async (value) => {
    const { run } = await opened()
    const { value: words } = await run('words', ['--', '${args:/a}', 'x${args:/a}y'], { a: value })
    expect(words).toEqual([value, `x${value}y`])
  })

  test.each(['-rf', '--upload-pack=touch x', '-', '--', '-5', ''])(
    '%j does not become an option',
    async (value) => {
      const { run, lines } = await opened()
      const failure = await failureOf(run('words', ['${args:/a}'], { a: value }))
      expect(failure).toMatchObject({ code: 'argument_unsafe', happened: 'no' })
      expect(failure.detail).toEqual({ argument: '/a' })
      expect(await lines()).toEqual([])
      expect((await run('words', ['--', '${args:/a}'], { a: value })).value).toEqual([value])
      expect((await run('words', ['--n=${args:/a}'], { a: value })).value).toEqual([`--n=${value}`])
    },
  )

  test('a number below zero is one of those', async () => {
    const { run } = await opened()
    expect(await failureOf(run('words', ['${args:/a}'], { a: -5 }))).toMatchObject({
      code: 'argument_unsafe',
    })
  })

  test.each([
    [['${args:/a}'], {}, 'argument_missing'],
    [['${args:/a}'], { a: 'x', b: 'y' }, 'argument_unused'],
    [['${args:/a/b}'], { a: { b: 'x', c: 'y' } }, 'argument_unused'],
    [['${args:/a}'], { a: 'x\0y' }, 'argument_unsafe'],
    [['${args:/constructor}'], {}, 'argument_missing'],
    [['${secret:CANARY}'], {}, 'driver_invalid'],
  ])('%j with %j is refused: %s', async (words, args, code) => {
    const { run, lines } = await opened()
    expect(await failureOf(run('words', words, args))).toMatchObject({ code, happened: 'no' })
    expect(await lines()).toEqual([])
  })

  test('what is no text is JSON, and a part of an argument can stand alone', async () => {
    const { run } = await opened()
    const { value } = await run('words', ['${args:/a}', '${args:/b/0}', '${args:/b/1}'], {
      a: { x: [1, null] },
      b: [true, 'y'],
    })
    expect(value).toEqual(['{"x":[1,null]}', 'true', 'y'])
  })
})

describe('a program', () => {
  test('finds the environment that is written out, and none of the gateway', async () => {
    const { run, driver, shell } = await opened()
    process.env['WARRANT_SHELL_TEST'] = canary
    onTestFinished(() => void delete process.env['WARRANT_SHELL_TEST'])
    const { value } = await run('env', [], { to: 'me' }, { env: { TO: 'to ${args:/to}' } })
    expect(Object.keys(value ?? {}).toSorted()).toEqual(['LANG', 'PATH', 'TO'])
    expect(value).toMatchObject({ TO: 'to me' })
    const once = callOf(shell('env'), {}, { execution: { idempotent: true } })
    expect((await driver.run(once)).value).toMatchObject({ IDEMPOTENCY_KEY: 'key-1' })
  })

  test('runs where the catalog says, and its input is empty', async () => {
    const { run, folder } = await opened()
    expect((await run('cwd', [], {}, { cwd: folder })).value).toBe(folder)
    expect((await run('nothing')).value).toBeNull()
  })

  test.each([
    [{ command: ['/no/such/program'] }, { at: 'program', error: 'ENOENT' }],
    [{ command: ['no-such-program-here'] }, { at: 'program', error: 'ENOENT' }],
    [{ command: [join(import.meta.dirname, 'shell.test.ts')] }, { at: 'program', error: 'EACCES' }],
    [{ command: ['true'], cwd: '/no/such/folder' }, { at: 'cwd' }],
  ])('that does not start did nothing: %j', async (given, detail) => {
    const { driver } = await opened()
    const failure = await failureOf(driver.run(callOf({ kind: 'shell', ...given })))
    expect(failure).toMatchObject({ code: 'spawn_failed', happened: 'no', detail })
  })

  test('that ends with another code than 0 answered with an error', async () => {
    const { run } = await opened()
    const failure = await failureOf(run('fail', ['1000', '7'], {}, { env: { SECRET: 'plain' } }))
    expect(failure).toMatchObject({ code: 'exit_code', happened: 'yes', detail: { exit: 7 } })
    expect(failure.detail['text']).toHaveLength(512)
    expect((await run('fail', ['1', '7'], {}, { exitCodes: [7] })).value).toBeNull()
  })

  test('repeats no part of a secret where its words are cut', async () => {
    const { run } = await opened()
    for (let count = 1; count < 40; count += 4) {
      const env = { SECRET: `${'-'.repeat(count)}\${secret:CANARY}` }
      const failure = await failureOf(run('fail', ['30'], {}, { env }))
      expect(shownBy(failure)).not.toMatch(/canar|secret v|alue/)
    }
  })

  test('that something else kills leaves what happened unknown', async () => {
    const { run } = await opened()
    expect(await failureOf(run('die'))).toMatchObject({
      code: 'killed',
      happened: 'unknown',
      detail: { signal: 'SIGKILL' },
    })
  })

  test('gives JSON or text, and lines as they come', async () => {
    const { driver, shell, run } = await opened()
    const parts: JsonValue[] = []
    const call: ToolCall = { ...callOf(shell('lines')), onPart: (part) => parts.push(part) }
    const { value, bytes } = await driver.run(call)
    expect(value).toBe('{"row":1}\n\n{"row":2}\r\nplain\nlast')
    expect(bytes).toBe(32)
    expect(parts).toEqual([{ row: 1 }, { row: 2 }, 'plain\n', 'last'])
    expect(await failureOf(run('bytes'))).toMatchObject({ code: 'result_invalid' })
  })

  test('gives lines that are all objects as rows, of which fields and rows can be bounded', async () => {
    const { run } = await opened()
    expect((await run('rows')).value).toEqual([{ row: 1, mail: 'ann@example.com' }, { row: 2 }])
    expect((await run('counts')).value).toBe('1\n2\n')
  })

  // One that was killed and that no parent has waited for still has its number.
  const isAlive = (pid: number): boolean => {
    const state = `/proc/${pid}/stat`
    if (existsSync('/proc/self')) {
      return existsSync(state) && !/\) [ZX] /.test(readFileSync(state, 'utf8'))
    }
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const leftBehind = async (lines: () => Promise<string[]>): Promise<number> => {
    return Number((await lines()).find((line) => line.startsWith('pid'))?.slice(4) ?? 'NaN')
  }

  test('and all that it started is killed at the time-out, even if they ignore SIGTERM', async () => {
    const { driver, shell, lines } = await opened()
    const call = callOf(shell('stubborn'), {}, { signal: AbortSignal.timeout(1_000) })
    expect(await failureOf(driver.run(call))).toMatchObject({ code: 'timed_out' })
    const pid = await leftBehind(lines)
    expect(pid).toBeGreaterThan(1)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('that ends takes what it left behind with it, and does not hold up the call', async () => {
    const { run, lines } = await opened()
    expect((await run('abandon')).value).toBeNull()
    const pid = await leftBehind(lines)
    expect(pid).toBeGreaterThan(1)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('is stopped when the driver is closed', async () => {
    const { driver, shell, lines } = await opened()
    const run = failureOf(driver.run(callOf(shell('stubborn'))))
    await expect.poll(async () => (await lines()).length).toBeGreaterThan(1)
    await driver.close()
    expect(await run).toMatchObject({ code: 'killed', happened: 'unknown' })
  })
})

// Secrets by reference: where they come from, what is refused, and what is taken out of texts.

const value = 'p4ss/word+of=the day'

async function folderWith(name: string, text: string, mode = 0o600): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, name), text)
  await chmod(join(folder, name), mode)
  return folder
}

const faultOf = async (run: Promise<unknown>): Promise<Error> => {
  const error: unknown = await run.catch((failure: unknown) => failure)
  return error instanceof Error ? error : expect.fail('succeeded')
}

describe('a secret', () => {
  test('is a variable, or a file without its last line end; the variable comes first', async () => {
    const folder = await folderWith('CRM', `${value}\n`)
    expect(await toolSecrets({ variables: {}, folder }).load('CRM')).toBe(value)
    const variables = { WARRANT_SECRET_CRM: 'from a variable' }
    expect(await toolSecrets({ variables, folder }).load('CRM')).toBe('from a variable')
  })

  test('is read again at each call', async () => {
    const folder = await folderWith('CRM', 'the first')
    const secrets = toolSecrets({ variables: {}, folder })
    expect(await secrets.load('CRM')).toBe('the first')
    await writeFile(join(folder, 'CRM'), 'the second')
    expect(await secrets.load('CRM')).toBe('the second')
    expect(secrets.scrub('the first, the second')).toBe('[SECRET], [SECRET]')
  })

  test.each([0o640, 0o604, 0o660, 0o622, 0o644])(
    'in a file that others may read or write (%o) is refused',
    async (mode) => {
      const folder = await folderWith('CRM', value, mode)
      const fault = await faultOf(toolSecrets({ variables: {}, folder }).load('CRM'))
      expect(fault).toMatchObject({ code: 'secret_invalid' })
      expect(fault.message).toContain('chmod 600')
      expect(fault.message).not.toContain(value)
    },
  )

  test.each(['crm', '../CRM', 'CRM/x', '', 'A'.repeat(65), '__proto__'])(
    'cannot be called %j, even where such a file exists',
    async (name) => {
      const folder = await folderWith('crm', value)
      const fault = await faultOf(toolSecrets({ variables: {}, folder }).load(name))
      expect(fault).toMatchObject({ code: 'secret_missing' })
    },
  )

  test.each(['', 'short', '\n', 'x'.repeat(20_000)])('is no %j', async (text) => {
    const folder = await folderWith('CRM', text)
    const secrets = toolSecrets({ variables: {}, folder })
    expect(await faultOf(secrets.load('CRM'))).toMatchObject({ code: 'secret_invalid' })
  })

  test('that is missing is named by its reference', async () => {
    const folder = await folderWith('CRM', value)
    for (const sources of [
      { variables: {}, folder },
      { variables: {}, folder: null },
    ]) {
      const secrets = toolSecrets(sources)
      const fault = await faultOf(secrets.load('OTHER'))
      expect(fault).toMatchObject({ code: 'secret_missing' })
      expect(fault.message).toContain('WARRANT_SECRET_OTHER')
      const failure = await faultOf(secrets.filled(['Bearer ', { secret: 'OTHER' }]))
      expect(failure).toBeInstanceOf(ToolFailure)
      const detail = { secret: 'OTHER' }
      expect(failure).toMatchObject({ code: 'secret_missing', happened: 'no', detail })
    }
  })

  test('is filled in where it stands, once', async () => {
    const variables = { WARRANT_SECRET_A: '${secret:B} $& text', WARRANT_SECRET_B: 'another one' }
    const secrets = toolSecrets({ variables, folder: null })
    expect(await secrets.filled(['x ', { secret: 'A' }])).toBe('x ${secret:B} $& text')
  })
})

describe('what is taken out of texts', () => {
  const scrubbing = (secret: string) => {
    const pattern = scrubPattern([secret])
    return (text: string) => (pattern === null ? text : text.replaceAll(pattern, '[SECRET]'))
  }

  test.each([
    ['itself', value],
    ['in JSON', JSON.stringify({ a: [value] })],
    ['percent-encoded', encodeURIComponent(value)],
    ['percent-encoded in small letters', encodeURIComponent(value).toLowerCase()],
    ['in a form', new URLSearchParams({ a: value }).toString()],
    ['as hex', Buffer.from(value).toString('hex')],
    ['as base64', Buffer.from(value).toString('base64')],
    ['as base64url', Buffer.from(value).toString('base64url')],
    ['in basic credentials', `Basic ${Buffer.from(`me:${value}`).toString('base64')}`],
  ])('%s', (_, text) => {
    const left = scrubbing(value)(text)
    expect(left).toContain('[SECRET]')
    expect(left).not.toContain(text)
  })

  test('in the middle of anything, encoded or not', () => {
    const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
    const around = fc.string({ maxLength: 20, unit: 'grapheme' })
    const property = fc.property(secret, around, around, (hidden, before, after) => {
      fc.pre(hidden.isWellFormed() && !'[SECRET]'.includes(hidden))
      const scrub = scrubbing(hidden)
      const whole = `${before}${hidden}${after}`
      expect(scrub(whole)).not.toContain(hidden)
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const encoded = Buffer.from(whole).toString(encoding)
        expect(scrub(encoded)).toContain('[SECRET]')
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  test('also from keys and from what is nested', async () => {
    const secrets = toolSecrets({ variables: { WARRANT_SECRET_A: value }, folder: null })
    expect(secrets.scrubValue({ [value]: 1 })).toEqual({ [value]: 1 })
    await secrets.load('A')
    expect(secrets.scrubValue({ [value]: [{ a: `x${value}` }, 1, null] })).toEqual({
      '[SECRET]': [{ a: 'x[SECRET]' }, 1, null],
    })
  })

  test('from a long text that nearly has one everywhere', async () => {
    const secrets = toolSecrets({ variables: { WARRANT_SECRET_A: 'a'.repeat(200) }, folder: null })
    await secrets.load('A')
    const text = 'aaaaaaaaab'.repeat(100_000)
    expect(secrets.scrub(text)).toBe(text)
  })
})
