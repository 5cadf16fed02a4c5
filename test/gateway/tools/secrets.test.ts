// Secrets by reference: where they come from, what is refused, and what is taken out of texts.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scrubPattern } from '#gateway/tools/secrets'
import { toolSecrets } from '#gateway/tools/secrets'
import { ToolFailure } from '#ports/tools'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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
