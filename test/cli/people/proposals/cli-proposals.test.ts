// What learning asks people, at the command line: it is listed, and shown with what became of it,
// and nothing that is unsound, unseen or not theirs to say is ever bound.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeEvent } from '#record/event'
import { openRuntime } from '#wiring/open'
import { rule } from '#runtime/learning/rule'
import { pickProposal } from '#operations/proposals/named'
import {
  as,
  erasing,
  facts,
  json,
  learningFolder,
  listed,
  met,
} from '../../../support/samples/cli-proposals-folder.ts'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { notice, saying } from '../../../support/samples/cli-proposals-folder.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { atTerminal, hasTerminals } from '../../at-terminal.ts'
import { ended, keysOf, run, runChild, says, start } from '../../../support/cli-runner.ts'
import { isFull } from '../../../support/vitest/counts.ts'

describe('an id', () => {
  const place = { realm: 'main', era: 1 }
  const ids = ['AAAABBBB1234', 'CCCCBBBB1234', 'AAAABBBB9999']

  test('is meant by all of it, by its name, or by an end that only one has', () => {
    expect(() => pickProposal('1234', place, ids)).toThrow('may be AAAABBBB1234, CCCCBBBB1234')
    expect(pickProposal('999', place, ids)).toBe(null)
    expect(pickProposal('AAAA', place, ids)).toBe(null)
    expect(pickProposal('9999', place, ids)).toBe('AAAABBBB9999')
    expect(pickProposal('CBBBB1234', place, ids)).toBe('CCCCBBBB1234')
    expect(pickProposal('main.1.proposal.CCCCBBBB1234', place, ids)).toBe('CCCCBBBB1234')
    expect(pickProposal('AAAABBBB1234', place, [...ids, 'XAAAABBBB1234'])).toBe('AAAABBBB1234')
  })
})

test('what waits for people is listed with what waits for it, and shown with what is known', async () => {
  const cwd = await learningFolder()
  expect((await run(['proposals'], { cwd })).stdout).toBe('nothing is pending\n')
  expect((await run(['proposals', '--all'], { cwd })).stdout).toBe('nothing is pending\n')
  const plain = await temporaryFolder()
  await beginKnowing({ cwd: plain })
  expect((await run(['proposals'], { cwd: plain })).stdout).toContain('learning is off')
  const first = await met(cwd, notice)
  await met(cwd, { ...notice, distinct: true })
  const { stdout } = await run(['proposals'], { cwd })
  const [head, row] = stdout.split('\n')
  expect(head).toMatch(/^proposal +gap +age +met by +waiting +asked$/)
  expect(row).toMatch(
    /EXISTENCE .* my-agent +2 intents until \d\d:\d\d:\d\d UTC +what `notice` is$/,
  )
  const [one, ...others] = await listed(cwd)
  expect(others).toEqual([])
  expect(one).toMatchObject({
    state: 'open',
    data: { template: { primitive: 'notice' } },
    ruled: null,
  })
  expect(one.proposal).toBe(first.ids[0])
  expect(one.waiting[0].intent).toBe(first.address)
  const id = one.proposal.slice(-8)
  const shown = await run(['proposals', 'show', id], { cwd })
  for (const part of [
    `PROPOSAL ${id}  what \`notice\` is`,
    'D0 EXISTENCE and D1 IDENTITY will do',
    'unknown     `notice`',
    'model       none has answered',
    first.address,
    `warrant proposals teach ${id}`,
  ]) {
    expect(shown.stdout).toContain(part)
  }
  const none = await run(['proposals', 'show', 'MISSING'], { cwd })
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no proposal `MISSING`')])
})

describe('a ruling that would count for nothing is reported, and nothing is bound', () => {
  test('anyone who makes it, whatever it contains', async () => {
    const cwd = await learningFolder()
    const { ids } = await met(cwd, notice)
    const [id = ''] = ids
    const code = async (...args: string[]) => {
      const isBare = args.includes('-')
      const ran = await run(['proposals', ...args, '--json'], { cwd, isBare })
      const [{ error }] = json(ran.stdout)
      return [ran.code, error.code, error.message]
    }
    const teach = ['teach', id, ...as('cora')]
    const refused = [
      [['accept', 'ZZZZZZZZ', ...as('cora')], 1, 'no_proposal', '--all'],
      [['skip', id.slice(-3), ...as('cora')], 1, 'no_proposal', '--all'],
      [['accept', id, ...as('cora'), '--yes'], 1, 'no_candidate', 'teach'],
      [['skip', id, ...as('olga')], 1, 'ruling_void', 'neither curator nor policy-admin'],
      [['reject', id, ...as('my-agent')], 1, 'key_missing', 'my-agent'],
      [[...teach, '--level', '1', '--yes'], 1, 'candidate_unsound', 'level_empty'],
      [
        [...teach, '--level', '1', 'a=b', '2', 'c=d', '--yes'],
        1,
        'candidate_unsound',
        'more than the gap needs',
      ],
      [[...teach, ...saying, '--level', 'moon:1', 'a=b'], 1, 'candidate_unsound', 'moon'],
      [[...teach, '--edge', 'a REQUIRES b'], 2, 'usage', 'leave out --edge'],
      [[...teach, '--level', 'a=b'], 2, 'usage', 'level'],
      [[...teach, '--edge', 'a ISA b'], 2, 'usage', 'REQUIRES'],
      [[...teach, '--candidate', '-'], 2, 'usage', '--yes'],
      [[...teach, '--candidate', 'none.json', '--yes'], 1, 'input_unreadable', 'none.json'],
      [[...teach, '--candidate', 'x.json', '--level', '1', 'a=b'], 2, 'usage', '--candidate'],
    ] as const
    for (const [args, exit, fault, part] of refused) {
      expect(await code(...args)).toEqual([exit, fault, expect.stringContaining(part)])
    }
    await writeFile(join(cwd, 'odd.json'), '{"levels":[{"name":"notice","levels":[]}],"edge":null}')
    expect(await code(...teach, '--candidate', 'odd.json', '--yes')).toEqual([
      1,
      'candidate_unsound',
      expect.stringContaining('ill_formed: /levels/0/levels'),
    ])
    expect(await facts(cwd, 'ruling.>')).toEqual([])
  })

  test.runIf(isFull)('nor what no one agreed to: without an answer, or with a no', async () => {
    const cwd = await learningFolder()
    const { ids } = await met(cwd, notice)
    const [id = ''] = ids
    const args = ['proposals', 'teach', id, ...as('cora'), '--level', '1', 'what=x']
    const silent = await runChild(args, { cwd, isBare: true, input: 'yes\n' })
    expect(silent.code).toBe(1)
    expect(silent.stderr).toContain('no one can be asked whether to sign this')
    if (hasTerminals) {
      const no = await atTerminal(args, { cwd }, [{ after: '[y/N]', line: 'no' }])
      expect([no.code, no.screen.includes('nothing was bound')]).toEqual([3, true])
    }
    expect(await facts(cwd, 'ruling.>')).toEqual([])
  })

  test('nor what the graph came to know otherwise', async () => {
    const cwd = await learningFolder()
    const { ids } = await met(cwd, notice)
    const [id = ''] = ids
    const file = join(cwd, 'warrant/graph.json')
    const graph = JSON.parse(await readFile(file, 'utf8'))
    graph.primitives.push({ ...graph.primitives[0], name: 'notice' })
    await writeFile(file, JSON.stringify(graph))
    await run(['seed', 'warrant'], { cwd })
    expect((await run(['proposals'], { cwd })).stdout).toContain('nothing: it is known by now')
    expect(await listed(cwd)).toMatchObject([{ state: 'overtaken', ruled: null }])
    const added = await run(['proposals', 'teach', id, ...as('cora'), ...saying], { cwd })
    expect([added.code, added.stderr]).toEqual([1, expect.stringContaining('known by now')])
    expect(await facts(cwd, 'ruling.>')).toEqual([])
  })
})

test('what counted is reported, and cannot be ruled on again', async () => {
  const cwd = await learningFolder()
  const { ids } = await met(cwd, notice)
  const [id = ''] = ids
  const folder = join(cwd, '.warrant')
  const runtime = await openRuntime({ log: { url: join(folder, 'log.db'), folder }, stages: [] })
  // Anyone who may write the file may bind the name; no one signed it.
  const name = `main.1.ruling.${id}.olga`
  const { digest = '' } = runtime.follower.state.learning.open.get(id)?.data ?? {}
  const forged = {
    confirmer: 'olga',
    digest,
    proposal: `main.1.proposal.${id}`,
    ruling: 'rejected',
  }
  const stamp = { source: 'confirmer/olga', time: new Date().toISOString(), basis: 1 }
  await runtime.log.append({ name, bytes: writeEvent('ruling', name, forged, stamp) })
  expect(await listed(cwd, '--all')).toMatchObject([{ state: 'open', ruled: null }])
  const levels = [0, 1].map((level) => ({ level, properties: level === 0 ? {} : { what: 'x' } }))
  const candidate = { levels: [{ name: 'notice', levels }], edge: null }
  const privateKey = await readFile(join(keysOf(cwd), 'cora.pem'), 'utf8')
  await rule(runtime, {
    proposal: id,
    ruling: 'modified',
    candidate,
    confirmer: 'cora',
    privateKey,
  })
  await runtime.stop()
  for (const all of [[], ['--all']]) {
    expect(await listed(cwd, ...all)).toMatchObject([
      { state: 'agreed', ruled: { by: 'cora', word: 'modified', candidate }, revision: null },
    ])
  }
  expect((await run(['proposals'], { cwd })).stdout).toMatch(/modified by cora .* not in the graph/)
  const again = await run(['proposals', 'reject', id, ...as('you')], { cwd })
  const first = /`cora` answered this first, at .* \(modified, not in the graph yet\)/
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(first)])
})

test.runIf(isFull)('who follows is notified of each as it comes, once', async () => {
  const cwd = await learningFolder()
  await met(cwd, notice)
  const child = start(['proposals', '--follow', '--json', '--no-stages'], { cwd })
  const over = ended(child)
  await says(child, 'stdout', 'EXISTENCE')
  const received = says(child, 'stdout', 'REACHABILITY')
  await met(cwd, erasing, 2)
  await received
  child.kill('SIGTERM')
  const { code, stdout } = await over
  expect(code).toBe(0)
  expect(json(stdout).map(({ data }) => data.template.kind)).toEqual(['EXISTENCE', 'REACHABILITY'])
})
