// Answers to what learning asks, at the command line: by flags, step by step or whole, seen before
// they are signed, and what comes of them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  as,
  erasing,
  facts,
  json,
  learningFolder,
  listed,
  met,
} from '../../../support/samples/cli-proposals-folder.ts'
import { notice, saying } from '../../../support/samples/cli-proposals-folder.ts'
import { run, runChild } from '../../../support/cli-runner.ts'
import { isFull } from '../../../support/vitest/counts.ts'

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
