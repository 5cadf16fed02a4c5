// The policy wizard: by answers that are piped in or by flags alone, it writes a policy into the
// folder's graph and applies it, refuses one that could catch nothing, and signs only on a yes.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runChild } from '../../support/cli-process.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { policyFolder } from './policy-folder.ts'

let begun = ''
let cwd = ''

const ask = (to: string) =>
  run(['ask', 'send_email', '--arg', `to=${to}`, '--justification', 'Ann asked for her invoice'], {
    cwd: begun,
  })

beforeAll(async () => {
  begun = await policyFolder()
  for (const to of ['ann', 'bob']) expect((await ask(`${to}@example.com`)).code).toBe(0)
})

beforeEach(async () => {
  cwd = await temporaryFolder()
  // All of a closed log is in its one file; the others may vanish meanwhile.
  await cp(begun, cwd, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) })
})

const edge = ['--source', 'send', '--target', 'email']
const graphFile = () => readFile(join(cwd, 'warrant/graph.json'), 'utf8')
const wizard = (...flags: readonly string[]) => run(['policy', 'wizard', ...flags], { cwd })

async function listed(): Promise<readonly unknown[]> {
  return JSON.parse((await run(['policy', 'list', '--json'], { cwd })).stdout)
}

const codeOf = ({ stdout }: Ran): unknown => JSON.parse(stdout.split('\n').at(-2) ?? '').error?.code

describe('by flags alone', () => {
  test.each([
    ['an unknown source', ['--source', 'sned', '--target', 'email'], 'name_unknown'],
    ['a source that applies to nothing', ['--source', 'post', '--target', 'email'], 'edge_unknown'],
    ['no edge between', ['--source', 'send', '--target', 'send'], 'edge_unknown'],
    ['no edge on that level', [...edge, '--level', '2'], 'edge_unknown'],
    ['several levels', ['--source', 'send', '--target', 'parcel'], 'usage'],
    ['no effect', [...edge, '--no-confirm'], 'policy_without_effect'],
    ['an unknown callback', [...edge, '--callback', 'toAn'], 'unknown_callback'],
    ['an unknown confirmation', [...edge, '--confirmation', 'des'], 'unknown_confirmation'],
    ['no one asked and by whom', [...edge, '--no-confirm', '--confirmation', 'desk'], 'usage'],
    ['an empty message', [...edge, '--message', ''], 'usage'],
  ])('%s is refused, and nothing is changed', async (_what, flags, code) => {
    const before = await graphFile()
    const ran = await wizard(...flags, '--name', 'rule', '--yes', '--json')
    expect([ran.code === 0, codeOf(ran)]).toEqual([false, code])
    expect(await listed()).toEqual([])
    expect(await graphFile()).toBe(before)
  })

  test('a refusal shows how to fix it', async () => {
    const misspelt = await wizard('--source', 'sned', '--target', 'email', '--name', 'rule')
    expect(misspelt.stderr).toContain('did you mean `send`?')
    const unrelated = await wizard('--source', 'post', '--target', 'email', '--name', 'rule')
    expect(unrelated.stderr).toContain('the `relata` of a level of `post`')
    const unknown = await wizard(...edge, '--name', 'rule', '--callback', 'toAn')
    expect(unknown.stderr).toContain('did you mean `toAnn`?')
  })

  test('a policy on the call is written, applied, and catches the next one', async () => {
    const ran = await wizard(
      ...edge,
      '--name',
      'ann',
      '--no-confirm',
      '--callback',
      'toAnn',
      '--yes',
    )
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/allow → deny {3}send_email {2}\(my-agent, \w+\) {2}policy_blocked/)
    expect(ran.stdout).toContain('1 of the last 2 intents comes out differently')
    expect(ran.stdout).toContain('warrant/graph.json has it')
    expect(ran.stdout).toContain('warrant is in the log, as 1 change set')
    expect((await run(['plan', 'warrant', '--check'], { cwd })).code).toBe(0)
    const args = ['ask', 'send_email', '--justification', 'Ann asked for her invoice']
    expect((await run([...args, '--arg', 'to=ann@example.com'], { cwd })).code).toBe(0)
    expect((await run([...args, '--arg', 'to=bob@example.com'], { cwd })).code).toBe(3)
    expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
  })

  test('a dry run needs no key, shows what it would catch, and changes nothing', async () => {
    const flags = ['--name', 'all', '--message', 'Really {action}?', '--confirmation', 'desk']
    const before = await graphFile()
    const ran = await wizard(...edge, ...flags, '--dry-run', '--json', '--key', 'nowhere.pem')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject({
      edge: { source: 'send', level: 1, type: 'APPLIES_TO', target: 'email', targetDepth: 1 },
      policy: { name: 'all', confirmation: 'desk', requiresConfirmation: true, callback: null },
      preview: {
        tried: 2,
        unable: 0,
        flips: [
          { before: { outcome: 'allow' }, after: { outcome: 'ask' } },
          { before: { outcome: 'allow' }, after: { outcome: 'ask' } },
        ],
      },
      file: 'warrant/graph.json',
      written: false,
      applied: null,
    })
    expect(ran.stdout).toContain('Really send?')
    expect(await listed()).toEqual([])
    expect(await graphFile()).toBe(before)
  })

  test('only as many of the last intents are tried as are asked for', async () => {
    const tried = async (last: string) => {
      const ran = await wizard(...edge, '--name', 'all', '--dry-run', '--json', '--last', last)
      return JSON.parse(ran.stdout).preview?.tried
    }
    expect(await tried('1')).toBe(1)
    expect(await tried('0')).toBe(undefined)
  })

  test('all settings of a policy are saved as they were given', async () => {
    const flags = ['--name', 'all', '--trigger', 'multiple', '--callback', 'never', '--yes']
    const said = ['--message', 'May I {action}?', '--metadata', 'since=2024', '--metadata', 'by=us']
    expect((await wizard(...edge, ...flags, ...said, '--confirmation', 'desk')).code).toBe(0)
    const policy = {
      name: 'all',
      requiresConfirmation: true,
      triggerCardinality: 'multiple',
      callback: 'never',
      confirmationMessage: 'May I {action}?',
      confirmation: 'desk',
      metadata: { since: 2024, by: 'us' },
    }
    expect(await listed()).toMatchObject([{ source: 'send', level: 1, policy, neverFires: null }])
  })

  test('a name is on its edge once, unless it is to be replaced', async () => {
    await wizard(...edge, '--name', 'one', '--yes')
    await wizard(...edge, '--name', 'two', '--yes')
    const again = await wizard(...edge, '--name', 'one', '--message', 'New?', '--yes', '--json')
    expect(codeOf(again)).toBe('policy_taken')
    const replaced = await wizard(
      ...edge,
      '--name',
      'one',
      '--message',
      'New?',
      '--yes',
      '--replace',
    )
    expect(replaced.code).toBe(0)
    expect(await listed()).toMatchObject([
      { policy: { name: 'one', confirmationMessage: 'New?' } },
      { policy: { name: 'two' } },
    ])
  })

  test('the edge keeps all that it had, and no other changes', async () => {
    const shown = async () => {
      const { stdout } = await run(['graph', 'show', '--json'], { cwd })
      return JSON.parse(stdout)
    }
    const before = await shown()
    const file = join(cwd, 'warrant/graph.json')
    const text = await readFile(file, 'utf8')
    await wizard(...edge, '--name', 'one', '--yes')
    expect(await shown()).not.toEqual(before)
    await writeFile(file, text)
    const taken = ['apply', 'warrant', '--prune', '--key', 'you', '--yes']
    expect((await run(taken, { cwd })).code).toBe(0)
    const sorted = (graph: { primitives: { depths: { relata: { type: string }[] }[] }[] }) =>
      graph.primitives.map(({ depths, ...rest }) => ({
        ...rest,
        depths: depths.map(({ relata, ...depth }) => ({
          ...depth,
          relata: relata.toSorted((a, b) => a.type.localeCompare(b.type)),
        })),
      }))
    expect(sorted(await shown())).toEqual(sorted(before))
  })

  test('a policy that no one would ever see is reported', async () => {
    const ran = await wizard(
      '--source',
      'send',
      '--target',
      'parcel',
      '--level',
      '4',
      '--name',
      'one',
      '--yes',
    )
    expect(ran.stdout).toContain('it will never fire: `send` is known down to D2 only')
    expect((await run(['policy', 'list'], { cwd })).stdout).toContain('never fires')
  })

  test('where no one is there to say yes, nothing is saved, and the flag is named', async () => {
    const bare = { cwd, isBare: true }
    const before = await graphFile()
    const ran = await runChild(['policy', 'wizard', ...edge, '--name', 'one'], bare)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('give `--key FILE --yes`')
    expect([await listed(), await graphFile()]).toEqual([[], before])
  })
})

describe('with a person', () => {
  const talk = (...lines: readonly string[]) =>
    runChild(['policy', 'wizard'], { cwd, input: lines.map((line) => `${line}\n`).join('') })

  test('each step is asked, what is wrong is asked again, and a yes applies it', async () => {
    const edge = ['sned', 'post', 'send', 'emial', 'email']
    const asks = ['', 'ann', '', 'desk', 'always', 'toAn', 'toAnn', 'May I {action} it?']
    const ran = await talk(...edge, ...asks, 'nothing', 'since=2024', '', 'yes')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/they apply to something: send\n[^]*must a person agree \[Y\/n\]/)
    expect(ran.stderr).toContain('the graph has no `sned`; did you mean `send`?')
    expect(ran.stderr).toContain(
      '`post` applies to nothing; relate them first: put `{ "type": "APPLIES_TO"',
    )
    expect(ran.stderr).toMatch(/D1 REQUIRES → post \(D1\).*policies here never fire/)
    expect(ran.stderr).toContain('it does not apply to `emial`; did you mean `email`?')
    expect(ran.stderr).toContain('people will read: “May I send it?”')
    expect(ran.stdout).toContain('2 of the last 2 intents come out differently')
    expect(ran.stdout).toContain('warrant is in the log, as 1 change set')
    const policy = {
      name: 'ann',
      requiresConfirmation: true,
      triggerCardinality: null,
      callback: 'toAnn',
      confirmationMessage: 'May I {action} it?',
      confirmation: 'desk',
      metadata: { since: 2024 },
    }
    expect(await listed()).toMatchObject([{ source: 'send', target: 'email', policy }])
  })

  test('a conversation without a terminal saves nothing', async () => {
    const before = await graphFile()
    const steps = ['send', 'email', 'one', 'yes', 'own', 'single', 'none', '', '']
    const input = steps.map((line) => `${line}\n`).join('')
    const ended = await runChild(['policy', 'wizard'], { cwd, input, isBare: true })
    expect([ended.code, ended.stderr.includes('no one can be asked')]).toEqual([1, true])
    expect([await listed(), await graphFile()]).toEqual([[], before])
  })

  test('several edges are distinguished, and one that asks no one must call something', async () => {
    const ran = await talk('send', 'parcel', 'nowhere', '1', 'one', 'no', 'none', 'single', 'none')
    expect(ran.stderr).toContain('D2 APPLIES_TO → parcel (D1)')
    expect(ran.stderr).toContain('D4 APPLIES_TO → parcel (D1)')
    expect(ran.stderr).toContain('choose one of them, by its name or its number from 1 to 2')
    expect(ran.code).toBe(1)
  })
})

describe('what is there', () => {
  test('an edge without policies lists none', async () => {
    expect((await run(['policy', 'list'], { cwd })).stdout).toBe('no edge has a policy\n')
  })

  test('a table shows each policy with its edge', async () => {
    await wizard(...edge, '--name', 'one', '--yes')
    const { stdout } = await run(['policy', 'list'], { cwd })
    expect(stdout).toMatch(/^source +edge +policy +asks +checks +when\n/)
    expect(stdout).toMatch(/\nsend +D1 APPLIES_TO → email \(D1\) +one +a person +- +always\n/)
  })
})
