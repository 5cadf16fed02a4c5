// The table of settings is what is read, checked and documented.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configuration } from '#wiring/config'
import { misspelled } from '#wiring/misspelled'
import { configurationPage } from '../../docs/generate/configuration-page.ts'
import type { Setting } from '#schemas/settings/setting'
import { settingGroups, settingTable } from '#schemas/settings/table'

const root = join(import.meta.dirname, '..', '..')
const all = settingGroups.flatMap(({ settings }) => Object.values<Setting>(settings))

test('`docs/reference/configuration.md` is written from the table: `npm run schemas` writes it', () => {
  const page = readFileSync(join(root, 'docs', 'reference/configuration.md'), 'utf8')
  expect(page).toBe(configurationPage())
})

test('each setting has one variable', () => {
  const names = all.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names).toHaveLength(Object.keys(settingTable).length)
})

describe('the configuration', () => {
  test('has what is set, and nothing else', () => {
    const variables = {
      WARRANT_LOG: 'a.db',
      WARRANT_HOME: '',
      WARRANT_LOG_LEVEL: 'warn',
      PATH: 'x',
    }
    expect(configuration(variables)).toEqual({ log: 'a.db', logLevel: 'warn' })
  })

  test.each([
    ['WARRANT_LOG_LEVEL', 'loud', 'give one of trace, '],
    ['WARRANT_LOG_ID', 'mine', 'give `sha256:…`'],
  ])('refuses a wrong value of %s', (name, value, expected) => {
    const read = () => configuration({ [name]: value })
    expect(read).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(read).toThrow(`${name} is \`${value}\`: ${expected}`)
  })
})

describe('a misspelled variable', () => {
  test.each([
    ['WARRANT_LOGS', ['WARRANT_LOG']],
    ['WARRANT_ROOTKEY', ['WARRANT_ROOT_KEY']],
    ['WARRANT_MODLE', ['WARRANT_MODEL']],
  ])('%s is most likely one of the settings', async (name, meant) => {
    expect(await misspelled({ [name]: '' })).toEqual([{ name, meant }])
  })

  test.each([
    'WARRANT_LOG',
    'WARRANT_REALM',
    'WARRANT_SECRET_KEY',
    'WARRANT_INTENT',
    'OTEL_SERVICE_NAME',
    'LOG',
  ])('%s is not a misspelling', async (name) => {
    expect(await misspelled({ [name]: 'x' })).toEqual([])
  })
})
