// What a start loads, counted in files: what most of its time goes into, on any machine.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildProgram } from '#cli/program'
import { runChild } from '../../support/cli-process.ts'
import { environmentFor } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { builtFile, builtPackage } from '../../support/vitest/built.ts'

const Covered = z.object({ result: z.array(z.object({ url: z.string() })) })

/** What was compiled lies there, and what is shipped in a folder of it. */
const below = `${pathToFileURL(builtPackage()).href}/`

/** Counts what zod calls for each schema that is made. */
const counting = `
  let count = 0
  globalThis.__zod_globalConfig = { postProcessor: () => { count += 1 } }
  process.on('exit', () => process.stderr.write('\\nschemas: ' + count))`

const counted = `data:text/javascript,${encodeURIComponent(counting)}`

interface Started {
  readonly stdout: string
  readonly loaded: readonly string[]
  /** How many schemas were made. */
  readonly schemas: number
}

/**
 * Calls the program in a folder that holds these files alone, and looks which files of the package
 * it has loaded.
 */
async function started(
  program: string,
  calls: readonly (readonly string[])[],
  files: Readonly<Record<string, string>> = {},
) {
  const cwd = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, dirname(name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const coverage = join(cwd, 'coverage')
  const all = calls.map((words, index): Started => {
    const folder = join(coverage, String(index))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', counted, program, ...words],
      {
        cwd,
        env: { ...environmentFor({ cwd }), NODE_V8_COVERAGE: folder },
        encoding: 'utf8',
      },
    )
    expect({ words, status, stderr: status === 0 ? '' : stderr }).toMatchObject({ status: 0 })
    const urls = readdirSync(folder).flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return Covered.parse(JSON.parse(text)).result.map(({ url }) => url)
    })
    const ours = urls.flatMap((url) => url.split(below)[1] ?? [])
    const schemas = Number(/\nschemas: (\d+)$/.exec(stderr)?.[1])
    return { stdout, loaded: [...new Set(ours)].toSorted(), schemas }
  })
  return all
}

/** What finds where values come from, and how people speak. */
const seeking = /\/known\/find\.js$|\/grounding\/moods\.js$/

const built = (path: string): string => join(builtPackage(), 'dist', path)

test('help lists every command by what was packed, and loads none', async () => {
  const calls = [['help', '--all'], ['--help'], []] as const
  const [all, ...briefly] = await started(builtFile('services/cli/main.ts'), calls)
  const program = await buildProgram()
  let shown = ''
  program.configureOutput({ writeOut: (text) => (shown += text) }).outputHelp()
  expect(all?.stdout).toBe(shown)
  for (const each of [all, ...briefly]) {
    expect(each?.loaded).toContain('shipped/dist/services/cli/main.js')
    expect(each?.loaded.length).toBeLessThanOrEqual(20)
  }
})

test('what measures texts of any script is packed, too', async () => {
  const cwd = await temporaryFolder()
  const words = ['nats-config', '--store', join(cwd, 'store'), '--user', 'agent:my-agent']
  const env = { COLUMNS: '40' }
  const ran = await runChild(words, { cwd, env })
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('…') })
})

test('`ask` loads no more files than it did, and makes few schemas', async () => {
  const why = ['--justification', 'Ann asked for her invoice']
  const calls = [['init'], ['ask', 'send_email', '--arg', 'to=ann@example.org', ...why]]
  const [, asked] = await started(built('services/cli/main.js'), calls)
  expect(asked?.loaded.length).toBeGreaterThan(100)
  expect(asked?.loaded.length).toBeLessThanOrEqual(570)
  expect(asked?.loaded.filter((url) => seeking.test(url))).toEqual([])
  expect(asked?.schemas).toBeGreaterThan(500)
  expect(asked?.schemas).toBeLessThanOrEqual(1_650)
})

test('what seeks known values is loaded by each command that judges by one, in whatever process', async () => {
  const why = { justification: 'Ann asked for her invoice' }
  const ask = ['ask', 'mail', '--agent', 'a', '--arg', 'to=ann@example.org']
  const calls = [
    ['init', '--as', 'me'],
    ['seed', 'seed', '--key', 'me', '--yes'],
    [...ask, '--justification', why.justification],
    ['replay'],
    ['decide', 'lines', '--seed', 'seed', '--fail'],
  ]
  const agent = { id: 'a', roles: ['writer'], attributes: { mail: 'ann@example.org' } }
  const mail = {
    id: 'mail',
    safetyClass: 'WRITE',
    argsSchema: { type: 'object', properties: { to: { type: 'string' } } },
    known: [{ arg: '/to', kind: 'email', unknown: 'deny' }],
  }
  const catalog = { principals: [agent], capabilities: [mail] }
  const line = {
    principal: 'a',
    tool: 'mail',
    request: { args: { to: 'ann@example.org' }, ...why },
  }
  const all = await started(built('services/cli/main.js'), calls, {
    'seed/catalog.json': JSON.stringify(catalog),
    lines: `${JSON.stringify(line)}\n`,
  })
  const has = all.map(({ loaded }) => loaded.some((url) => seeking.test(url)))
  expect(has).toEqual([false, true, true, true, true])
})

test('a program over HTTP loads none of what decides', async () => {
  const [client] = await started(built('services/client/over-http/connect-http.js'), [[]])
  expect(client?.loaded.length).toBeGreaterThan(20)
  expect(client?.loaded.length).toBeLessThanOrEqual(198)
  expect(client?.loaded.filter((url) => /\/(?:conditions|stages|log)\//.test(url))).toEqual([])
})
