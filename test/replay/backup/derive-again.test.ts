// One intent derived again from bytes alone, in Node and by the bundle that a page gets, which say
// the same of each golden log.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { partsInRealm } from '#record/names'
import type { Fact } from '#ports/log'
import { deriveAgain, type DerivedAgain } from '#replay/backup/derive-again'
import { deciders } from '#workers/deciders'
import { kinds } from '#schemas/kinds'
import { placeIn, readGolden } from '../../golden/golden-log.ts'
import { count } from '../../support/vitest/counts.ts'
import { bundled, runAlone, type Bundled } from '../../support/browser/bundle.ts'

const golden = join(import.meta.dirname, '../../golden')
const versions = readdirSync(golden).filter((name) => /^\d+\.\d+\.\d+/.test(name))

/** The derived facts of each intent of the log. */
function derivedFacts(facts: readonly Fact[], realm: string): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name } of facts) {
    const parts = partsInRealm(name, realm)
    const address = parts?.address ?? null
    if (parts === null || address === null || kinds[parts.kind].derived !== true) continue
    found.set(address, [...(found.get(address) ?? []), name])
  }
  return found
}

type Derive = (of: object) => Promise<unknown>
const Page = z.object({
  deriveAgain: z.custom<Derive>((one) => typeof one === 'function'),
  deciders: z.array(z.unknown()),
})
const Answer = z.object({
  facts: z.array(
    z.object({
      name: z.string(),
      position: z.int(),
      is: z.enum(['equal', 'differs', 'cannot_tell']),
      recorded: z.string(),
      derived: z.string().nullable(),
    }),
  ),
})

let bundle: Bundled
let page: z.infer<typeof Page>

const source = `
  export { deriveAgain } from '#replay/backup/derive-again'
  export { deciders } from '#workers/deciders'`

beforeAll(async () => {
  bundle = await bundled(source, { whole: true })
  page = Page.parse(runAlone(bundle.code))
})

async function onPage(of: Asked, on = page): Promise<readonly DerivedAgain[]> {
  // A page gets them as bytes, and knows no buffers.
  const facts = of.facts.map((fact) => ({ ...fact, bytes: Uint8Array.from(fact.bytes) }))
  const found = await on.deriveAgain({ ...of, facts, stages: on.deciders, rootKey: null })
  return Answer.parse(JSON.parse(JSON.stringify(found))).facts
}

interface Asked {
  readonly facts: readonly Fact[]
  readonly realm: string
  readonly intent: string
}

async function onNode(of: Asked): Promise<readonly DerivedAgain[]> {
  return (await deriveAgain({ ...of, stages: deciders, rootKey: null })).facts
}

test('the bundle has nothing of Node in it', () => {
  expect(bundle.outside).toEqual([])
  expect(bundle.files.filter((path) => /-node\.ts$|private-key|^node:/.test(path))).toEqual([])
  expect(bundle.files.length).toBeGreaterThan(100)
  expect(bundle.code).not.toMatch(/\bBuffer\b|\bcreateRequire\b|\bsetImmediate\b/)
})

test('what few intents need is loaded when one of them needs it', async () => {
  const { files, outside, gzipBytes } = await bundled(source, { whole: false })
  const onDemand = /node_modules\/(wink-|@bufbuild\/)|knowledge\/(known\/find|grounding\/moods)\.ts/
  expect(outside).toEqual([])
  expect(bundle.files.some((path) => onDemand.test(path))).toBe(true)
  expect(files.filter((path) => onDemand.test(path))).toEqual([])
  expect(gzipBytes).toBeLessThan(260_000)
})

describe.each(versions)('of the golden log %s', (version) => {
  test('each derived fact is derived again alike, on both', async () => {
    const facts = await readGolden(join(golden, version))
    const { realm } = placeIn(facts)
    const intents = [...derivedFacts(facts, realm)]
    expect(intents.length).toBeGreaterThan(0)
    const said = { equal: 0, cannot_tell: 0, differs: 0 }
    // The first and the last ones: each is a replay of the whole log, on a page a slow one.
    const tried = [...intents.slice(0, count(8, 0)), ...intents.slice(-count(8, 1))]
    for (const [intent, names] of tried) {
      const found = await onNode({ facts, realm, intent })
      expect(found.map(({ name }) => name)).toEqual(names)
      expect(await onPage({ facts, realm, intent })).toEqual(found)
      for (const { is } of found) said[is] += 1
    }
    expect(said.differs).toBe(0)
    expect(said.equal).toBeGreaterThan(0)
  })
})

describe('an intent that callbacks were asked about', () => {
  const folder = join(golden, '0.2.0')
  const isVerdict = ({ name, bytes }: Fact): boolean =>
    name.includes('.verdict.') && Buffer.from(bytes).includes('"callbacks":[{')

  async function asked() {
    const facts = await readGolden(folder)
    const { realm } = placeIn(facts)
    const verdict = facts.find(isVerdict)
    const intent = partsInRealm(verdict?.name ?? '', realm)?.address ?? null
    if (verdict === undefined || intent === null) throw new Error('the log has such a verdict')
    return { facts, realm, intent, verdict }
  }

  /** What deriving that verdict comes to where it says something else. */
  async function changed(change: (text: string) => string) {
    const { facts, realm, intent, verdict } = await asked()
    const text = Buffer.from(verdict.bytes).toString('utf8')
    expect(change(text)).not.toBe(text)
    const other = { ...verdict, bytes: Buffer.from(change(text)) }
    const given = facts.map((fact) => (fact === verdict ? other : fact))
    const found = await onNode({ facts: given, realm, intent })
    expect(await onPage({ facts: given, realm, intent })).toEqual(found)
    return found.find(({ name }) => name === verdict.name)
  }

  test('is derived by the answers that were recorded, and no callback runs', async () => {
    const { facts, realm, intent, verdict } = await asked()
    const found = await onPage({ facts, realm, intent })
    expect(found.find(({ name }) => name === verdict.name)?.is).toBe('equal')
  })

  test('is not judged where an answer was not recorded', async () => {
    const without = await changed((text) =>
      text.replace(/"callbacks":\[\{.*?\}\],/, '"callbacks":[],'),
    )
    expect(without).toMatchObject({ is: 'cannot_tell', derived: null })
  })

  test('differs where the verdict was changed', async () => {
    const other = await changed((text) =>
      text.replace(/"outcome":"(\w+)"/, (_, outcome) =>
        outcome === 'deny' ? '"outcome":"allow"' : '"outcome":"deny"',
      ),
    )
    expect(other).toMatchObject({ is: 'differs', derived: expect.stringContaining('"outcome"') })
    expect(other?.derived).not.toBe(other?.recorded)
  })
})

test('where a page may not compile schemas, nothing is judged', async () => {
  const strict = Page.parse(runAlone(bundle.code, { mayCompile: false }))
  const facts = await readGolden(join(golden, '0.2.0-defaults'))
  const { realm } = placeIn(facts)
  const [intent = ''] = derivedFacts(facts, realm).keys()
  const asked = { facts, realm, intent }
  expect((await onNode(asked)).every(({ is }) => is === 'equal')).toBe(true)
  const found = await onPage(asked, strict)
  expect(found.length).toBeGreaterThan(0)
  expect(found.every(({ is, derived }) => is === 'cannot_tell' && derived === null)).toBe(true)
})

test('the stories of a page stand on nothing of Node either', async () => {
  const stories = `
    export { storyOf } from '#present/story/story'
    export { explain } from '#present/explain'`
  const { outside, files, code } = await bundled(stories, { whole: true })
  expect(outside).toEqual([])
  expect(files.filter((path) => /-node\.ts$|private-key/.test(path))).toEqual([])
  expect(code).not.toMatch(/\bBuffer\b|\bsetImmediate\b/)
  expect(typeof runAlone(code)).toBe('object')
})
