// A newcomer's first minutes, by the real command line: a tool of their own is allowed, then made
// to depend on what is known, denied, and allowed again once they wrote that.
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runChild } from '../support/cli-process.ts'
import { run, type Ran } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const reason = ['--justification', 'Ann asked for her invoice']
const asking = ['ask', 'send_email', '--arg', 'to=ann@example.org']

test('a tool of one’s own is allowed at once, and nothing has to be known for it', async () => {
  const cwd = await temporaryFolder()
  const begun = await runChild(['init'], { cwd })
  expect(begun).toMatchObject({ code: 0, stderr: '' })
  expect(begun.stdout).toContain('`send_email` is a WRITE tool: its name says `send`.')
  expect(begun.stdout).toContain('warrant ask send_email')
  expect((await stat(join(cwd, '.keys/you.pem'))).mode & 0o777).toBe(0o600)
  const allowed = await runChild([...asking, ...reason], { cwd })
  expect(allowed).toMatchObject({ code: 0, stderr: '' })
  expect(allowed.stdout).toContain('ALLOW  send_email for my-agent')

  const replayed = await run(['replay', '--json'], { cwd })
  expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, voidCount: 0, open: 0 })
  const refused = await run(['init'], { cwd })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^warrant: `.*log\.db` is there already: [^\n]*\n$/)
})

test('with concepts it is denied, fixed as the denial says, and allowed', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  // As the folder's own page says.
  const page = await readFile(join(cwd, 'warrant/README.md'), 'utf8')
  const [concepts = ''] = /"concepts": \[[^\]]*\]/.exec(page) ?? []
  const catalog = join(cwd, 'warrant/catalog.json')
  const before = await readFile(catalog, 'utf8')
  await writeFile(catalog, before.replace('"argsSchema"', `${concepts}, "argsSchema"`))
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0, stderr: '' })

  const denied = await runChild([...asking, ...reason], { cwd })
  expect(denied).toMatchObject({ code: 3, stderr: '' })
  expect(denied.stdout).toContain('`send` is not in the graph: add it')
  expect(denied.stdout).toContain('  Then: warrant apply warrant\n')

  // What is pasted is what was printed: from its brace to the one at the same indent.
  const pieces = [...denied.stdout.matchAll(/^ {4}\{\n[\s\S]*?^ {4}\}$/gm)].map(([piece]) => piece)
  expect(pieces).toHaveLength(2)
  const pasted = `{ "primitives": [${pieces.join(',')}] }`
  const file = join(cwd, 'warrant/graph.json')
  await writeFile(file, pasted)
  const unwritten = await run(['apply', 'warrant'], { cwd })
  expect(unwritten).toMatchObject({ code: 1, stdout: '' })
  expect(unwritten.stderr).toContain('which is a placeholder: write in its place')

  await writeFile(file, pasted.replaceAll(/TODO: [^"]*/g, 'in the words of one who knows'))
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const again = await run(['seed', 'warrant', '--json'], { cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ changes: [], revisions: { graph: 1 } })
  const allowed = await run([...asking, ...reason, '--json'], { cwd })
  expect(allowed.code).toBe(0)
  const verdict = JSON.parse(allowed.stdout)
  expect(verdict).toMatchObject({ outcome: 'allow', reasons: [], observed: false })
  const traced = await run(['trace', verdict.intent.slice(-10)], { cwd: join(cwd, 'warrant') })
  expect(traced.stdout).toContain('`my-agent` asked to use `send_email`: allowed')
  // The action leads to what it acts on.
  const graph = JSON.parse((await run(['graph', 'show', '--json'], { cwd })).stdout)
  expect(graph.primitives).toMatchObject([
    { name: 'send', depths: [{ level: 0 }, { relata: [{ target: 'email' }] }] },
    { name: 'email', depths: [{ level: 0 }, { relata: [] }] },
  ])
})

/** The line that a denial says to write. */
const lineOf = ({ stdout }: Ran): string =>
  / then has\n +(?<line>".*)$/m.exec(stdout)?.groups?.['line'] ?? ''

async function write(cwd: string, before: string, after: string): Promise<void> {
  const file = join(cwd, 'warrant/catalog.json')
  const text = await readFile(file, 'utf8')
  expect(text).toContain(before)
  await writeFile(file, text.replace(before, after))
}

describe('init for a tool', () => {
  test('that destroys names the role it needs, and the denial the line that gives it', async () => {
    const cwd = await temporaryFolder()
    const begun = await run(['init', '--tool', 'delete_customer'], { cwd })
    expect(begun.stdout).toContain('is a DESTRUCTIVE tool: its name says `delete`')
    const args = ['ask', 'delete_customer', '--arg', 'id=17', ...reason]
    const denied = await run(args, { cwd })
    expect(denied.code).toBe(3)
    expect(denied.stdout).toMatch(
      /in warrant\/catalog\.json:\d+, the principal `my-agent` then has/,
    )
    await write(cwd, '"roles": ["writer"]', lineOf(denied))
    expect(denied.stdout).toContain('  Then: warrant apply warrant\n')
    expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0, stderr: '' })
    expect(await run(args, { cwd })).toMatchObject({ code: 0 })
  })

  test('of any name touches nothing outside', async () => {
    const cwd = await temporaryFolder()
    const tool = 'Mark Order'
    const env = { WARRANT_KEYS: await temporaryFolder() }
    const begun = await run(['init', 'sub dir', '--tool', tool], { cwd, env })
    expect(begun).toMatchObject({ code: 0, stderr: '' })
    expect(begun.stdout).toContain('its name does not say what it does')
    expect(await readdir(cwd)).toEqual(['sub dir'])
    const here = join(cwd, 'sub dir')
    const args = ['ask', tool, '--args', '{"id":17}', '--justification', 'what was ordered broke']
    expect(await run(args, { cwd: here })).toMatchObject({ code: 0 })
  })
})

test('a tool without a schema says that it takes no arguments, and how to say which', async () => {
  const cwd = await temporaryFolder()
  await run(['init'], { cwd })
  const before = '"safetyClass": "READ"'
  const tool = '"capabilities": [\n'
  await write(cwd, tool, `${tool}{ "id": "read_file", ${before} },\n`)
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  const asked = ['ask', 'read_file', '--arg', 'path=/x']
  const denied = await run(asked, { cwd })
  expect(denied.stdout).toContain('`read_file` has no `argsSchema`, so it takes no arguments.')
  await write(cwd, before, `${before}, ${lineOf(denied)}`)
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  expect(await run(asked, { cwd })).toMatchObject({ code: 0 })
})

test('a call with too many or too few arguments is answered with how it is written', async () => {
  const cwd = await temporaryFolder()
  const said = async (...args: readonly string[]) => (await run(args, { cwd })).stderr
  expect(await said('ask', 'send_email', 'to=bob')).toContain('`--arg to=bob`')
  expect(await said('approve')).toContain(
    '`warrant approve [options] <intents...>`, and `warrant help approve` has examples',
  )
  expect(await said('reviews', 'show')).toContain('`warrant help reviews show`')
  expect(await said('init', 'one', 'two')).toContain('`warrant init [options] [folder]`')
})
