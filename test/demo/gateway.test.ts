// The demo through a gateway: what is decided stays the same, and what is allowed is executed once.
// The log is counted apart from what the demo prints.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'
import { partOfAirline } from './part-of-airline.ts'
import { comparedVerdicts } from '#cli/demo/compared-verdicts'
import { standIn } from '#cli/demo/stand-in'
import { isSound } from '#cli/demo/print-gateway'

const conversations = 6

interface Line {
  readonly name: string
  readonly fact: {
    readonly data: { readonly outcome: string }
    readonly payload: { readonly value?: unknown; readonly result?: unknown }
  }
}

async function factsOf(log: string, cwd: string): Promise<readonly Line[]> {
  const { stdout } = await run(['--log', log, 'log', '--json'], { cwd })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function addressesOf(facts: readonly Line[], kind: string): readonly string[] {
  return facts
    .map(({ name }) => name.split(`.${kind}.`))
    .flatMap(([, address]) => (address === undefined ? [] : [address]))
    .toSorted()
}

function allowedIn(facts: readonly Line[]): readonly string[] {
  const allows = facts.filter(
    ({ name, fact }) => name.includes('.verdict.') && fact.data.outcome === 'allow',
  )
  return addressesOf(allows, 'verdict')
}

test.each([
  { seed: 'airline', part: conversations },
  { seed: 'office', part: null },
  ...(isFull ? [{ seed: 'airline', part: null }] : []),
])(
  'decides on $seed as without it, and executes each allowed call once (part: $part)',
  async ({ seed: name, part }) => {
    const cwd = await temporaryFolder()
    const data = part === null ? [] : ['--data', await partOfAirline(cwd, part)]
    const words = ['demo', '--seed', name, ...data, '--json', '--log']
    const played = await run([...words, join(cwd, 'governed'), '--gateway'], { cwd })
    expect(played).toMatchObject({ code: 0 })
    const { gateway, ...score } = JSON.parse(played.stdout)
    if (name === 'office' || part !== null) {
      const bare = await run([...words, join(cwd, 'bare.db')], { cwd })
      expect(score).toEqual(JSON.parse(bare.stdout))
      expect(await factsOf(join(cwd, 'bare.db'), cwd)).not.toEqual([])
    } else {
      expect(score.right).toEqual({ allowed: 62, total: 62 })
      expect(score.harmful).toEqual({ stopped: 20, total: 40 })
    }

    const log = join(cwd, 'governed', 'log.db')
    const facts = await factsOf(log, cwd)
    const allowed = allowedIn(facts)
    expect(allowed.length).toBeGreaterThan(10)
    expect(addressesOf(facts, 'start')).toEqual(allowed)
    expect(addressesOf(facts, 'outcome')).toEqual(allowed)
    const denied = addressesOf(facts, 'verdict').length - allowed.length
    expect(denied).toBeGreaterThan(0)
    expect(gateway).toEqual({
      verdicts: { same: allowed.length + denied, different: 0 },
      right: { executedOnce: score.right.total, allowed: score.right.total },
      executions: allowed.length,
      executedTwice: 0,
      startsWithoutOutcome: 0,
      refused: { used: allowed.length, notAllowed: denied },
    })
    const replayed = await run(['--log', log, 'replay', '--json'], { cwd })
    expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, open: 0 })
  },
  isFull ? 300_000 : 60_000,
)

test('results of office tools are in the log as digests alone', async () => {
  const cwd = await temporaryFolder()
  await run(['demo', '--seed', 'office', '--gateway', '--log', cwd], { cwd })
  const facts = await factsOf(join(cwd, 'log.db'), cwd)
  const results = facts.filter(({ name }) => name.includes('.vlp.office-tools.'))
  expect(results.length).toBeGreaterThan(10)
  for (const { fact } of results) {
    expect(fact.payload.value).toBeUndefined()
    expect(fact.payload.result).toMatchObject({ digest: expect.stringContaining('sha256:') })
  }
})

test('a person reads the comparison', async () => {
  const cwd = await temporaryFolder()
  const { stdout } = await run(['demo', '--seed', 'office', '--gateway'], { cwd })
  expect(stdout).toMatch(/verdicts that are the same without it +23\n/)
  expect(stdout).toMatch(/verdicts that are different +0\n/)
  expect(stdout).toMatch(/right calls executed exactly once +7 of 7\n/)
  expect(stdout).toMatch(/executed twice +0\n/)
  expect(stdout).toMatch(/starts without an outcome +0\n/)
})

test('the backend that stands in counts what is executed twice, and answers as recorded', () => {
  const backend = standIn()
  const call = { key: 'one', signal: new AbortController().signal, onPart: () => undefined }
  backend.expect('one', { error: false, value: { id: 7 } })
  expect(backend.tool({}, call)).toEqual({ id: 7 })
  expect(backend.tool({}, call)).toEqual({ id: 7 })
  expect([...backend.executions]).toEqual([['one', 2]])
  backend.expect('two', { error: true, value: 'no such reservation' })
  expect(() => backend.tool({}, { ...call, key: 'two' })).toThrow('no such reservation')
  expect(() => backend.tool({}, { ...call, key: 'three' })).toThrow('not expected')
})

test('what differs, or is only there once, is counted', () => {
  const one = new Map([
    ['a 1', 'allow'],
    ['a 2', 'deny'],
    ['a 3', 'allow'],
  ])
  const other = new Map([
    ['a 1', 'allow'],
    ['a 2', 'allow'],
    ['a 4', 'allow'],
  ])
  expect(comparedVerdicts(one, other)).toEqual({ same: 1, different: 3 })
})

test('a difference, a second execution and an open start each fail the demo', () => {
  const sound = {
    verdicts: { same: 3, different: 0 },
    right: { executedOnce: 1, allowed: 1 },
    executions: 2,
    executedTwice: 0,
    startsWithoutOutcome: 0,
    refused: { used: 2, notAllowed: 1 },
  }
  expect(isSound(sound, false)).toBe(true)
  const differs = { ...sound, verdicts: { same: 2, different: 1 } }
  expect(isSound(differs, false)).toBe(false)
  expect(isSound(differs, true)).toBe(true)
  expect(isSound({ ...sound, executedTwice: 1 }, false)).toBe(false)
  expect(isSound({ ...sound, startsWithoutOutcome: 1 }, false)).toBe(false)
  expect(isSound({ ...sound, right: { executedOnce: 0, allowed: 1 } }, false)).toBe(false)
})
