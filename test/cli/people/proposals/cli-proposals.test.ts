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
  notice,
  saying,
} from '../../../support/samples/cli-proposals-folder.ts'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { atTerminal, hasTerminals } from '../../at-terminal.ts'
import { ended, runChild, says, start } from '../../../support/cli-process.ts'
import { keysOf, run } from '../../../support/cli-runner.ts'
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

// Answers to what learning asks, at the command line: by flags, step by step or whole, seen before
// they are signed, and what comes of them.

test('what is added by flags is bound, and the intent that waited goes on', async () => {
  const cwd = await learningFolder()
  const { ids, address } = await met(cwd, notice)
  const [id = ''] = ids
  const note = ['--note', 'as the manual says']
  const args = ['proposals', 'teach', id.slice(-8), ...as('cora'), ...saying, ...note]
  const added = await run([...args, '--json'], { cwd })
  expect(added.code).toBe(0)
  expect(json(added.stdout)).toMatchObject([
    {
      proposal: id,
      ruling: 'modified',
      by: 'cora',
      revision: 3,
      intents: [{ intent: address, tool: 'notify', outcome: 'allow' }],
      next: [],
    },
  ])
  expect(await listed(cwd)).toEqual([])
  expect(await listed(cwd, '--all')).toMatchObject([
    { state: 'applied', revision: 3, ruled: { by: 'cora', word: 'modified', note: note[1] } },
  ])
  const all = await run(['proposals', '--all'], { cwd })
  expect(all.stdout).toMatch(/added by cora .* ago, revision 3 \(modified\): “as the manual says”/)
  const shown = await run(['proposals', 'show', id], { cwd })
  expect(shown.stdout).toContain('what: “a line to everyone”')
  const again = await run(args, { cwd })
  const first = expect.stringMatching(/`cora` answered this first, at .* \(modified, revision 3 of/)
  expect([again.code, again.stderr]).toEqual([1, first])
})

test.runIf(isFull)('accepting or answering shows first which verdicts it would turn', async () => {
  const cwd = await learningFolder()
  const { ids } = await met(cwd, { ...notice, onGap: 'deny' })
  const [id = ''] = ids
  const args = ['proposals', 'teach', id, ...as('cora'), '--level', '1', 'what=x']
  const no = await runChild(args, { cwd, isBare: true })
  expect(no.stdout).toMatch(/add notice[^]*deny → allow +notify {2}\(my-agent, /)
  const without = await runChild([...args, '--last', '0'], { cwd, isBare: true })
  expect(without.stdout).toContain('add notice')
  expect(without.stdout).not.toContain('deny → allow')
  const aside = await runChild([...args, '--json'], { cwd })
  expect(json(aside.stdout)).toMatchObject([
    { ruling: 'modified', intents: [], preview: { tried: 1, flips: [{ tool: 'notify' }] } },
  ])
})

describe('step by step', () => {
  test('each level is asked for, and what is unsound is asked again', async () => {
    const cwd = await learningFolder()
    const { ids } = await met(cwd, { tool: 'measure', args: {} })
    const [id = ''] = ids
    const input = ['size', 'size = 4096', '', '', 'limit=one disk', '', 'yes', ''].join('\n')
    const ran = await runChild(['proposals', 'teach', id, ...as('cora')], { cwd, input })
    expect(ran.stderr).toContain('write a sentence, or key=value')
    expect(ran.stderr).toContain('D2 CAPABILITIES: what can it do')
    expect(ran.stderr).toContain('an empty level does not count')
    expect(ran.stdout).toMatch(/known +`file`[^]*you say +file D2 CAPABILITIES[^]*ALLOW {3}measure/)
    expect(ran.code).toBe(0)
    const [, , change] = await facts(cwd, 'graph.>')
    expect(change.operations).toMatchObject([
      { op: 'describe', name: 'file', level: 2, properties: { size: 4096 } },
      { op: 'describe', name: 'file', level: 3, properties: { limit: 'one disk' } },
    ])
  })

  test.runIf(isFull)(
    'an edge is asked for by its direction, relation and levels, then what those need',
    async () => {
      const cwd = await learningFolder()
      const { ids, address } = await met(cwd, erasing)
      const [id = ''] = ids
      const edge = ['delete → file', 'APPLIES_TO', '', '2']
      const level = ['can=be erased', '']
      const input = [...edge, ...level, 'yes', ''].join('\n')
      const ran = await runChild(['proposals', 'teach', id, ...as('cora')], { cwd, input })
      expect(ran.stderr).toContain('`delete` is known down to D1 IDENTITY')
      expect(ran.stderr).toContain('Level of `delete`, the source [1]')
      expect(ran.stdout).toMatch(/you say +file D2[^]*delete \(D1\) APPLIES_TO → file \(D2\)/)
      expect(ran.code).toBe(0)
      expect(await facts(cwd, `verdict.${address}`)).toMatchObject([{ outcome: 'allow' }])
    },
  )

  test.runIf(isFull)('and by flags the same, but for what they leave open', async () => {
    const cwd = await learningFolder()
    const { ids } = await met(cwd, erasing)
    const [id = ''] = ids
    const edge = ['--edge', 'delete applies_to file', '--source-level', '2', '--target-level', '2']
    const args = ['proposals', 'teach', id, ...as('cora'), ...edge, '--yes']
    const open = await runChild([...args, '--level', 'file:2', 'can=be erased'], { cwd })
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining('give `--level`')])
    const levels = ['--level', 'file:2', 'can=be erased', '--level', 'Delete:2', 'takes=["paths"]']
    const ran = await run([...args, ...levels], { cwd })
    expect(ran.stdout).toMatch(/APPLIED {2}revision 3[^]*ALLOW {3}erase/)
    const [, , change] = await facts(cwd, 'graph.>')
    expect(change.operations.map(({ op }: { op: string }) => op)).toEqual([
      'describe',
      'describe',
      'relate',
    ])
  })
})

test('a candidate may come whole, from a file', async () => {
  const cwd = await learningFolder()
  const { ids } = await met(cwd, notice)
  const [id = ''] = ids
  const levels = [0, 1].map((level) => ({ level, properties: level === 0 ? {} : { what: 'x' } }))
  const candidate = { levels: [{ name: 'notice', levels }], edge: null }
  await writeFile(join(cwd, 'candidate.json'), JSON.stringify(candidate))
  const args = ['proposals', 'teach', id, ...as('cora'), '--yes', '--candidate', 'candidate.json']
  expect((await run(args, { cwd })).stdout).toContain('APPLIED  revision 3')
})

test('what waits is previewed: what it would come to, and what is signed as seen', async () => {
  const cwd = await learningFolder()
  const { ids } = await met(cwd, notice)
  const args = ['proposals', 'teach', ids[0] ?? '', ...as('cora'), '--level', '1', 'what=x']
  const one = await runChild([...args, '--yes'], { cwd })
  expect(one.stdout).toMatch(/waits → allow {2}notify {2}\(my-agent, /)
  expect(one.stdout).toMatch(/these wait for it\n +READ notify \{\}/)
  expect(one.stdout).toMatch(/ALLOW {3}notify/)
  const [ruling] = await facts(cwd, 'ruling.>')
  expect(ruling).toMatchObject({ releases: [{ digest: expect.stringContaining('sha256:') }] })
})

test('several are skipped or rejected at once, and reopened', async () => {
  const cwd = await learningFolder()
  const { ids: first } = await met(cwd, { ...notice, onGap: 'deny' })
  const { ids } = await met(cwd, erasing, 2)
  expect(ids).toHaveLength(2)
  const unknown = await run(['proposals', 'reject', ...ids, 'ABCDEFGH', ...as('cora')], { cwd })
  expect(unknown.code).toBe(1)
  expect(await listed(cwd)).toHaveLength(2)
  const rejected = await run(['proposals', 'reject', ...ids, ...as('cora')], { cwd })
  expect([rejected.code, rejected.stdout.match(/rejected and signed/g)]).toEqual([
    0,
    ['rejected and signed', 'rejected and signed'],
  ])
  expect(await listed(cwd)).toEqual([])
  const reopened = await run(['proposals', 'reopen', ...first, ...as('cora')], { cwd })
  expect(reopened.stdout).toMatch(/^reopened \w+, signed by cora: asked as \w+\n$/)
  expect(await listed(cwd)).toMatchObject([{ data: { round: 2 }, state: 'open' }])
})

test('what is skipped lets the intent go, and what is rejected is not asked again', async () => {
  const cwd = await learningFolder()
  const first = await met(cwd, notice)
  const skipped = await run(['proposals', 'skip', first.ids[0] ?? '', ...as('cora')], { cwd })
  expect([skipped.code, skipped.stdout]).toEqual([
    0,
    expect.stringMatching(/^skipped and signed by cora\n {2}DENY {4}notify .*`ungrounded`/),
  ])
  const second = await met(cwd, erasing)
  const why = ['--note', 'no one erases files']
  const rejected = await run(['proposals', 'reject', second.ids[0] ?? '', ...why, ...as('cora')], {
    cwd,
  })
  expect(rejected.stdout).toContain('DENY    erase')
  const ask = await run(['ask', 'erase', '--on-gap', 'learn'], { cwd })
  expect(ask.code).toBe(3)
  expect(await listed(cwd, '--all')).toMatchObject([
    { state: 'skipped', ruled: { by: 'cora' } },
    { state: 'rejected', ruled: { by: 'cora', note: 'no one erases files' } },
  ])
})
