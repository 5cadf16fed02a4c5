// A day of a developer with a coding agent: 300 calls, files that are edited among them as the hook
// judges them (`> PATH`). What is asked, what is wrongly denied and what is wrongly allowed, by the
// seed as it is and with what a person lets the agent do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkLine, openShellSeed, type ShellSeed } from '#cli/agents/hook/check'

const Call = z.strictObject({
  kind: z.enum(['read', 'write', 'run', 'net', 'git']),
  /** What the person would have said. */
  right: z.enum(['allow', 'ask', 'deny']),
  command: z.string(),
})
const file = join(import.meta.dirname, '../../../data/field/developer-day.ndjson')
const calls = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Call.parse(JSON.parse(line)))

const seed = await openShellSeed()

/** The runners of that project, as its developer names them. */
const runners = [
  String.raw`npm (test|run)( -w [\w./-]+)?`,
  'npx (vitest|tsc|eslint|prettier)',
  'make',
  String.raw`(python3 -m )?pytest|python3 tools/\w+\.py|ruff`,
  'cargo (test|build|clippy|fmt)',
  'go (test|build|vet)|gofmt',
  String.raw`node (scripts|dist)/[\w./-]+|(bash )?(\./)?scripts/[\w./-]+`,
].join('|')
const projectRun =
  String.raw`^(cd [\w./-]+ && )?(\w+=\w+ )?(${runners})( [\w@%+=:,./-]+)*` +
  String.raw`( > [\w./-]+)?( 2>&1)?( \| tail -\d+| &)?$`

function letting(attributes: Readonly<Record<string, string>>): ShellSeed {
  const principals = new Map(
    [...seed.catalog.principals].map(([id, one]) => [
      id,
      { ...one, attributes: { ...one.attributes, ...attributes } },
    ]),
  )
  return { ...seed, catalog: { ...seed.catalog, principals } }
}

function counted(by: ShellSeed) {
  const root = '/srv/shop'
  const all = calls.map((call) => {
    const checked = checkLine({ command: call.command, cwd: root, root }, by)
    if ('error' in checked) throw new Error(checked.error.message)
    return { ...call, outcome: checked.outcome, why: checked.why }
  })
  return {
    asked: all.filter(({ outcome }) => outcome === 'ask'),
    wronglyDenied: all.filter(({ outcome, right }) => outcome === 'deny' && right !== 'deny'),
    wronglyAllowed: all.filter(({ outcome, right }) => outcome === 'allow' && right !== 'allow'),
  }
}

test('the day has writes, runs and the network in it', () => {
  const share = (...kinds: readonly string[]) => {
    return calls.filter(({ kind }) => kinds.includes(kind)).length / calls.length
  }
  expect(calls).toHaveLength(300)
  expect(share('write')).toBeGreaterThan(0.29)
  expect(share('run')).toBeGreaterThan(0.15)
  expect(share('net', 'git')).toBeGreaterThan(0.1)
})

describe('a day', () => {
  test('is asked about in more than half by the seed as it is, and nothing is wrong', () => {
    const { asked, wronglyDenied, wronglyAllowed } = counted(seed)
    expect(wronglyDenied).toEqual([])
    expect(wronglyAllowed).toEqual([])
    expect(asked.length).toBeGreaterThan(calls.length / 2)
  })

  test('is asked about in a tenth with what its developer lets the agent do', () => {
    const { asked, wronglyDenied, wronglyAllowed } = counted(
      letting({ projectWrite: 'allowed', ownFolders: 'allowed', projectRun }),
    )
    expect(wronglyDenied).toEqual([])
    expect(wronglyAllowed).toEqual([])
    const needless = asked.filter(({ right }) => right === 'allow')
    const words = needless.map(({ command }) => command.split(' ', 1)[0])
    expect(words).toEqual(['tar', 'tar', 'git', 'env', 'history'])
    expect(asked.length).toBeLessThanOrEqual(calls.length / 10)
  })
})
