// From the hook to the card: all of what a call would write is there for those who may answer, and
// for no one else; it is gone when the review ends, and nothing of a secret was ever there.
import { readdir, writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { contentsBeside } from '#judging/kept-contents'
import { wholeDigest } from '#shell/hooks/whole-digest'
import { ContentsAnswer } from '#schemas/console/reviews'
import { reviewOf, verdict, type Scene } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { beforeTool, type ToolCalled } from '../shell/hooks/host-events.ts'
import { declared, hookScene, intentIn, isBlocked } from '../http/hook-scene.ts'
import { servedOn, signedInByLink, type AtBrowser } from './console-scene.ts'

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at} of the file\n`).join('')
const long = lines(2_000)
const write = (content: string, path = 'a.sh'): ToolCalled => ({
  tool: 'Write',
  input: { file_path: path, content },
})

async function there() {
  const folder = await temporaryFolder()
  const principals = [{ id: 'audra', via: ['audit'] }]
  const { on, hook } = await hookScene(undefined, declared, { parts: { folder }, principals })
  const serving = await servedOn(on)
  let calls = 0
  const asked = async (called: ToolCalled): Promise<string> => {
    calls += 1
    const event = beforeTool('claude-code', { cwd: folder, id: `c${calls}`, ...called })
    const printed = await hook(event)
    expect(isBlocked('claude-code', printed)).toBe(true)
    return intentIn(on, printed)
  }
  const at = (person: string): Promise<AtBrowser> => signedInByLink({ on, serving }, person)
  const kept = async (): Promise<readonly string[]> => {
    const all = await readdir(join(folder, 'contents')).catch(() => [])
    return all.filter((name) => name.startsWith('res_'))
  }
  return { on, folder, asked, at, kept }
}

async function shownTo(browser: AtBrowser, intent: string): Promise<ContentsAnswer> {
  return ContentsAnswer.parse(await browser.get('contents', { params: { intent } }))
}

async function argsOf({ log }: Scene, intent: string) {
  return (await reviewOf(log, intent)).terms.args
}

describe('what a call would write', () => {
  test('is shown whole to who may answer, and only as what the intent binds', async () => {
    const { on, asked, at } = await there()
    const intent = await asked(write(long))
    const olga = await at('olga')
    const shown = await shownTo(olga, intent)
    const all = long
      .trimEnd()
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n')
    expect(shown).toEqual({ is: 'whole', text: all })
    const args = await argsOf(on, intent)
    expect(wholeDigest(args)).toBe(digestOf(all))
    expect(JSON.stringify(args).length).toBeLessThan(6_000)
    expect(JSON.stringify(await on.facts())).not.toContain('line 1999')
  })

  test('is shown to no one who may not answer: not to others, agents or auditors', async () => {
    const { asked, at } = await there()
    const params = { intent: await asked(write(long)) }
    for (const [person, refused] of [
      ['piet', '404 no_review'],
      ['quin', '404 no_review'],
      ['audra', '403 caller_refused not_asked'],
      ['root', '403 caller_refused not_asked'],
    ] as const) {
      expect(await (await at(person)).refused('contents', { params })).toBe(refused)
    }
    const stranger = { cookie: '', csrf: '' }
    const olga = await at('olga')
    const { status } = await olga.ask('contents', { params, headers: { cookie: stranger.cookie } })
    expect(status).toBe(401)
  })

  test.each(['approved', 'declined', 'expired'])('is gone once it is %s', async (how) => {
    const { on, asked, at, kept } = await there()
    const intent = await asked(write(long))
    const olga = await at('olga')
    expect(await kept()).toHaveLength(1)
    if (how === 'expired') on.time.pass(15 * 60_000 + 1)
    else await on.decide(intent, 'olga', { answers: how === 'approved' })
    await verdict(on.log, intent)
    const again = how === 'expired' ? await at('olga') : olga
    expect(await shownTo(again, intent)).toEqual({ is: 'gone', text: null })
    on.time.pass(1_000)
    await expect.poll(kept).toEqual([])
  })

  test('is gone once its agent has withdrawn it', async () => {
    const { on, asked, kept } = await there()
    const intent = await asked(write(long))
    await (await on.as('ada')).withdraw(intent, 'not needed')
    await verdict(on.log, intent)
    await contentsBeside(on.runtime).sweep()
    expect(await kept()).toEqual([])
  })

  test('is not shown where what is kept was changed', async () => {
    const { asked, at, kept, folder } = await there()
    const intent = await asked(write(long))
    const olga = await at('olga')
    const [file = ''] = await kept()
    const path = join(folder, 'contents', file)
    const bytes = await readFile(path)
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
    await writeFile(path, bytes)
    expect(await shownTo(olga, intent)).toEqual({ is: 'changed', text: null })
  })

  test('stays that of the first call, whatever else comes under its id', async () => {
    const { asked, at } = await there()
    const intent = await asked({ ...write(long), id: 'same' })
    const { is } = await shownTo(await at('olga'), intent)
    await asked({ ...write(`${long}and more\n`), id: 'same' }).catch(() => null)
    expect([is, (await shownTo(await at('olga'), intent)).is]).toEqual(['whole', 'whole'])
  })

  test('is shown as a difference, of which the file itself is not kept', async () => {
    const { asked, at, folder } = await there()
    await writeFile(join(folder, 'a.ts'), `key=AKIAIOSFODNN7EXAMPLE\n${lines(100)}one\n`)
    const input = { file_path: 'a.ts', old_string: 'one', new_string: long }
    const intent = await asked({ tool: 'Edit', input })
    const { is, text } = await shownTo(await at('olga'), intent)
    expect([is, text?.slice(0, 26)]).toEqual(['whole', '@@ line 102 @@\n-one\n+line '])
    expect(text).not.toContain('AKIA')
  })

  test('is not kept where people see all of it, or where nothing of it may be seen', async () => {
    const { on, asked, kept, folder } = await there()
    const secret = `${long}key=AKIAIOSFODNN7EXAMPLE\n`
    const heredoc = (path: string, body: string): ToolCalled => {
      return { tool: 'Bash', input: { command: `cat > ${path} <<'EOF'\n${body}EOF` } }
    }
    const calls: readonly (readonly [ToolCalled, string | undefined])[] = [
      [write('short\n'), undefined],
      [write(secret), 'secret'],
      [write(long, '.env'), 'secret'],
      [write(`${long}\u0000`), 'binary'],
      [write('x'.repeat(256 * 1024 + 1)), 'too_large'],
      [heredoc('a.txt', secret), 'secret'],
      [heredoc('.env', 'A=hunter2\n'), 'secret'],
      [heredoc('a.bin', 'A\u0001\n'), 'binary'],
      [heredoc('a.txt', lines(20_000)), 'too_large'],
    ]
    for (const [called, unseen] of calls) {
      const review = await reviewOf(on.log, await asked(called))
      expect(Object(review.terms.args)['unseen']).toBe(unseen)
      const says = review.questions.some(({ message }) => message?.includes('too large') === true)
      expect([unseen, says]).toEqual([unseen, unseen === 'binary' || unseen === 'too_large'])
    }
    expect(await kept()).toEqual([])
    const facts = JSON.stringify(await on.facts())
    for (const one of ['AKIA', 'hunter2', 'line 19']) expect(facts).not.toContain(one)
    expect(await readdir(folder)).not.toContain('contents')
  })
})

test('a heredoc is contents: the log has its size and an excerpt, and the card all of it', async () => {
  const { on, asked, at } = await there()
  const intent = await asked({
    tool: 'Bash',
    input: { command: `cat > run.py <<'EOF'\n${long}EOF\nmake test` },
  })
  const args = await argsOf(on, intent)
  const bytes = Buffer.byteLength(long)
  expect(args).toMatchObject({
    command: `cat > run.py <<'EOF'\n[${bytes} bytes]\nEOF\nmake test`,
    excerpt: expect.stringContaining('+line 0 of the file\n+line 1'),
  })
  const { is, text } = await shownTo(await at('olga'), intent)
  expect([is, text?.endsWith('+line 1999 of the file')]).toEqual(['whole', true])
  await on.decide(intent, 'olga')
  const other = { command: `cat > run.py <<'EOF'\n${long}x\nEOF\nmake test` }
  expect(await asked({ tool: 'Bash', input: other })).not.toBe(intent)
})
