// Who signs: a person who is asked at a terminal, or a command line that names the key and says
// yes. What runs as the same user and does neither signs nothing.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { atTerminal, hasTerminals } from './at-terminal.ts'
import { runChild } from '../support/cli-process.ts'
import { keysOf, run } from '../support/cli-runner.ts'
import { adding, changed } from '../support/edits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { count, isFull } from '../support/vitest/counts.ts'

const yes = { after: '[y/N]', line: 'y' }
const no = { after: '[y/N]', line: '' }
let cwd = ''
let intent = ''
let publicKey = ''

/** A folder in which people are asked about sending, and one such intent waits. */
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await beginKnowing({ cwd })).code).toBe(0)
  const policies = [{ name: 'ask', confirmationMessage: 'May I {action} it?' }]
  const relatum = { type: 'APPLIES_TO', target: 'email', targetDepth: 1, policies }
  const related = { op: 'relate', name: 'send', level: 1, relatum }
  const sending = [...adding('send', { 1: { is: 'a way out' } }), related]
  expect(await changed('graph', sending, { cwd })).toMatchObject({ code: 0, stderr: '' })
  expect(await run(['pull', 'warrant', '--yes'], { cwd })).toMatchObject({ code: 0 })
  await writeFile(join(cwd, 'moon.json'), JSON.stringify(adding('moon')))
  const desk = { op: 'put', collection: 'groups', entry: { id: 'desk', members: ['you'] } }
  await writeFile(join(cwd, 'desk.json'), JSON.stringify([desk]))
  const args = ['ask', 'send_email', '--justification', 'Ann asked for her invoice', '--json']
  const asked = await run(args, { cwd })
  intent = JSON.parse(asked.stdout).intent
  const [own] = JSON.parse((await run(['keys', 'list', '--json'], { cwd })).stdout)
  publicKey = own.publicKey
})

async function head(): Promise<number> {
  const { stdout } = await run(['replay', '--json'], { cwd })
  return JSON.parse(stdout).facts
}

describe('where no terminal is', () => {
  const bare = (...args: string[]) => runChild([...args, '--json'], { cwd, isBare: true })
  const commands = () => [
    ['approve', intent],
    ['decline', intent],
    ['suspend', 'my-agent'],
    ['graph', 'apply', 'moon.json'],
    ['catalog', 'apply', 'desk.json'],
    ['keys', 'retire', 'you', publicKey],
    ['graph', 'import', 'warrant/graph.json'],
    ['policy', 'wizard', '--source', 'send', '--target', 'email', '--name', 'two'],
    ['log', 'rotate'],
  ]

  test('nothing is signed, and the way out is named', async () => {
    const before = await head()
    for (const args of commands().slice(0, count(9, 1))) {
      const { code, stdout } = await bare(...args)
      expect([args, code, stdout]).toEqual([args, 1, expect.stringContaining('no_terminal')])
      expect(stdout).toContain('--key FILE --yes')
    }
    expect(await head()).toBe(before)
    // No one has to look for that below all that would have been signed.
    const shown = await runChild(['approve', intent], { cwd, isBare: true })
    expect([shown.code, shown.stdout]).toEqual([1, ''])
  })

  test.runIf(isFull)('a yes alone signs nothing, nor does one that is piped in', async () => {
    const alone = await bare('approve', intent, '--yes')
    expect([alone.code, alone.stdout.includes('--yes takes --key too')]).toEqual([2, true])
    const piped = await runChild(['approve', intent], { cwd, isBare: true, input: 'y\ny\n' })
    expect([piped.code, piped.stderr.includes('no one can be asked')]).toEqual([1, true])
  })

  test.runIf(isFull)('a key under a passphrase is opened by a file alone', async () => {
    const home = await temporaryFolder()
    const file = join(home, 'passphrase')
    await writeFile(file, 'correct horse\n')
    const env = { WARRANT_KEYS: home }
    const refused = await runChild(['keys', 'new', 'ann'], { cwd, env, isBare: true })
    expect([refused.code, refused.stderr.includes('--no-passphrase')]).toEqual([1, true])
    const opening = { ...env, WARRANT_KEY_PASSPHRASE_FILE: file }
    const made = await runChild(['keys', 'new', 'ann'], { cwd, env: opening, isBare: true })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(join(home, 'ann.pem'), 'utf8')).toContain('ENCRYPTED')
    const signing = ['suspend', 'my-agent', '--key', 'ann', '--yes', '--json']
    const locked = await runChild(signing, { cwd, env, isBare: true })
    expect(locked.stdout).toContain('key_locked')
    // It opens; that the catalog knows no such key is another matter.
    const unlocked = await runChild(signing, { cwd, env: opening, isBare: true })
    expect(unlocked.stdout).toContain('no_policy_admin')
  })
})

describe.skipIf(!hasTerminals)('at a terminal', () => {
  test('what is signed is shown, and no is the answer where nothing is typed', async () => {
    const before = await head()
    const { code, screen } = await atTerminal(['approve', intent], { cwd }, [no])
    expect([code, screen]).toEqual([3, expect.stringContaining('May I send it?')])
    expect(screen).toContain('nothing was signed')
    expect(await head()).toBe(before)
    const graph = await atTerminal(['graph', 'apply', 'moon.json'], { cwd }, [no])
    expect([graph.code, graph.screen.includes('moon')]).toEqual([3, true])
    expect(await head()).toBe(before)
  })

  test.runIf(isFull)('seeding asks once, and a yes signs', async () => {
    const file = join(cwd, 'warrant/graph.json')
    const graph = JSON.parse(await readFile(file, 'utf8'))
    graph.primitives.push({ name: 'sun', depths: [{ level: 0 }] })
    await writeFile(file, JSON.stringify(graph))
    const { code, screen } = await atTerminal(['seed', 'warrant'], { cwd }, [yes])
    expect([code, screen]).toEqual([0, expect.stringContaining('sign this as you?')])
  })

  test.runIf(isFull)(
    'a yes that is piped in does not count, and one at the terminal does',
    async () => {
      const { code, screen } = await atTerminal(['approve', intent], { cwd }, [yes])
      expect([code, screen]).toEqual([0, expect.stringContaining('ALLOW')])
    },
  )

  test.runIf(isFull)(
    'steps are answered first, and the file is written, applied or not',
    async () => {
      const edge = ['--source', 'send', '--target', 'email', '--trigger', 'always', '--confirm']
      const rest = ['--message', '{action}?', '--metadata', 'a=b', '--last', '0']
      const walked = (name: string, answer: string) =>
        atTerminal(['policy', 'wizard', ...edge, ...rest], { cwd }, [
          { after: 'name of the policy', line: name },
          { after: 'sign this as you?', line: answer },
        ])
      const declined = await walked('one', '')
      expect([declined.code, declined.screen.includes('nothing was signed')]).toEqual([3, true])
      expect(await readFile(join(cwd, 'warrant/graph.json'), 'utf8')).toContain('"one"')
      const { code, screen } = await walked('two', 'y')
      expect([code, screen]).toEqual([0, expect.stringContaining('warrant is in the log')])
    },
  )

  test.runIf(isFull)(
    'a passphrase is typed twice, shown to no one, and asked for before signing',
    async () => {
      const home = await temporaryFolder()
      const env = { WARRANT_KEYS: home }
      const [first, second] = ['passphrase for it', 'the same again']
      const made = await atTerminal(['keys', 'new', 'ann'], { cwd, env }, [
        { after: first, line: 'correct horse' },
        { after: second, line: 'battery staple' },
        { after: first, line: 'correct horse' },
        { after: second, line: 'correct horse' },
      ])
      expect([made.code, made.screen.includes('not the same')]).toEqual([0, true])
      expect(made.screen).not.toContain('horse')
      const typed = [{ after: 'passphrase of the key ann', line: 'correct horse' }]
      const used = await atTerminal(['suspend', 'my-agent'], { cwd, env }, typed)
      expect(used.screen).toContain('no key here is of a policy admin')
      const wrong = [{ after: 'passphrase of the key ann', line: 'wrong' }]
      const named = await atTerminal(['suspend', 'my-agent', '--key', 'ann'], { cwd, env }, wrong)
      expect([named.code, named.screen.includes('not the passphrase')]).toEqual([1, true])
      expect(named.screen).not.toContain('wrong')
    },
  )
})

test.runIf(isFull)(
  'a key without a passphrase gets one, and then signs with it alone',
  async () => {
    const folder = await temporaryFolder()
    expect((await run(['init'], { cwd: folder })).code).toBe(0)
    const file = join(folder, 'passphrase')
    await writeFile(file, 'correct horse\n')
    const env = { WARRANT_KEY_PASSPHRASE_FILE: file }
    expect((await run(['keys', 'protect'], { cwd: folder, env })).code).toBe(0)
    expect((await run(['keys', 'protect'], { cwd: folder, env })).stderr).toContain('already')
    expect(await readFile(join(keysOf(folder), 'you.pem'), 'utf8')).toContain('ENCRYPTED')
    const signing = ['suspend', 'my-agent', '--key', 'you', '--yes']
    const locked = await runChild([...signing, '--json'], { cwd: folder, isBare: true })
    expect(locked.stdout).toContain('key_locked')
    expect((await run(signing, { cwd: folder, env })).code).toBe(0)
  },
)

test('init makes a key outside of the project, and warns that it has no passphrase', async () => {
  const folder = await temporaryFolder()
  const { stdout } = await run(['init'], { cwd: folder })
  expect(stdout).toContain(`${join(keysOf(folder), 'you.pem')}   (your key, without a passphrase`)
  const again = await run(['init', 'more'], { cwd: folder })
  expect(again.code).toBe(0)
  const keys = JSON.parse((await run(['keys', 'list', '--json'], { cwd: folder })).stdout)
  expect(keys).toMatchObject([{ name: 'you', principal: 'you', isBeside: false }])
})
