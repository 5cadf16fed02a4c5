// How an era is rotated in the fold, fact by fact: who may seal it, what its chunks must say, and
// what is void until the next has begun.
import { beforeEach, expect, test } from 'vitest'
import { evolve } from '#state/fold/evolve'
import { chained, chainStart } from '#state/eras/genesis'
import type { State } from '#state/state'
import { chunksOf, chunkStep, endOf, factsOf, foldAll, folding } from '../replay/eras/parts/fold.ts'
import { signedStep, textOf, turn } from '../replay/eras/parts/fold.ts'
import { keys } from '../support/runtime.ts'
import { deletion, erase, look, reviewed, scene } from '../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}

let state: State
beforeEach(async () => {
  const on = await scene(setup)
  await reviewed(on, { intent: { tool: 'erase' } })
  state = foldAll(await factsOf(on.log))
})

const seals = { step: 'seal', seals: 1 }

test.each([
  ['by a key that is not theirs', { by: 'root', privateKey: keys.olga }],
  ['by someone who is no policy admin', { by: 'olga', privateKey: keys.olga }],
  ['by no one', { by: 'mallory' }],
  ['out of turn', { number: 2 }],
])('an era that is sealed %s goes on', (_, signing) => {
  expect(folding(state, signedStep(state, seals, signing))).not.toBe(null)
  expect(state.sealed).toBe(null)
  turn(state)
  expect(state.place.era).toBe(2)
})

test('a seal counts for the era that it names, and under the name that was signed', () => {
  expect(folding(state, signedStep(state, { step: 'seal', seals: 2 }))).toContain('seals era 2')
  const { bytes } = signedStep(state, seals, { number: 9 })
  const moved = Buffer.from(bytes).toString().replace('"main.2.snapshot.9"', '"main.2.snapshot.2"')
  expect(folding(state, { name: 'main.2.snapshot.2', bytes: Buffer.from(moved) })).toContain(
    'not a policy admin',
  )
  expect(state.sealed).toBe(null)
})

test('chunks and ends before a seal are void, and so is a second seal', () => {
  const chunk = { part: 1, after: `sha256:${'0'.repeat(64)}`, text: 'x' }
  expect(folding(state, chunkStep(state, chunk))).toBe('no era is sealed')
  const end = { step: 'end', position: 1, parts: 1, digest: chunk.after }
  expect(folding(state, signedStep(state, end))).toBe('no era is sealed')
  expect(folding(state, signedStep(state, seals))).toBe(null)
  expect(folding(state, signedStep(state, seals))).toContain('sealed already')
})

test('after the seal nothing of the era counts, and nothing of the next before its end', () => {
  folding(state, signedStep(state, seals))
  const before = textOf(state)
  for (const name of [
    'main.1.graph.2',
    'main.1.verdict.bot.-.x',
    'main.1.vlp.bot.-.new',
    'main.2.vlp.bot.-.new',
    'main.2.verdict.bot.-.x',
    'main.2.snapshot.7',
    'main.2.graph.3',
    'main.2.rate.bot.look.2',
    'main.3.snapshot.1',
  ]) {
    const position = state.position + 1
    const fact = { name, bytes: Buffer.from('junk'), position, appendedAt: state.appendedAt }
    expect(evolve(state, fact).void).not.toBe(null)
  }
  expect(textOf(state)).toBe(before)
  for (const chunk of chunksOf(state)) expect(folding(state, chunkStep(state, chunk))).toBe(null)
  expect(folding(state, signedStep(state, endOf(state)))).toBe(null)
  // What was bound between the two is stepped over all the same.
  expect(state.graphSequence).toEqual({ next: 2, used: new Set([3]) })
  expect(state.uses.get('bot.look')?.sequence.used).toEqual(new Set([2]))
  expect(state.snapshotSequence.next).toBe(2)
})

test('a chunk that differs from the log is void, no matter who binds it', () => {
  folding(state, signedStep(state, seals))
  const [chunk] = chunksOf(state)
  if (chunk === undefined) throw new Error('a state has a chunk')
  const forged = { ...chunk, text: chunk.text.replace('"root"', '"mine"') }
  for (const each of [
    forged,
    { ...chunk, part: 2 },
    { ...chunk, after: forged.after.toUpperCase() },
  ]) {
    expect(folding(state, chunkStep(state, each))).not.toBe(null)
  }
  expect(folding(state, chunkStep(state, chunk))).toBe(null)
  expect(folding(state, chunkStep(state, chunk))).toBe('this chunk is there already')
})

test('an era does not begin before all chunks are there, nor with another digest or position', () => {
  folding(state, signedStep(state, seals))
  const end = endOf(state)
  expect(folding(state, signedStep(state, end))).toContain('missing')
  for (const chunk of chunksOf(state)) folding(state, chunkStep(state, chunk))
  const other = `sha256:${'0'.repeat(64)}`
  for (const wrong of [
    { ...end, digest: other },
    { ...end, position: 1 },
    { ...end, parts: 9 },
  ]) {
    expect(folding(state, signedStep(state, wrong))).toBe('it is not what the log says')
  }
  for (const signing of [{ privateKey: keys.olga }, { by: 'olga', privateKey: keys.olga }]) {
    expect(folding(state, signedStep(state, end, signing))).toContain('not a policy admin')
  }
  expect(state.place.era).toBe(1)
  expect(folding(state, signedStep(state, end))).toBe(null)
  expect(state.place.era).toBe(2)
})

test('change sets of the catalog are taken once and in order, and an end names none but those', () => {
  const [one, two] = ['one', 'two']
  const first = { step: 'catalogs', part: 1, after: chainStart, text: one }
  const second = { step: 'catalogs', part: 2, after: chained(chainStart, one), text: two }
  expect(folding(state, chunkStep(state, first))).toBe('no era is sealed')
  folding(state, signedStep(state, seals))
  for (const chunk of chunksOf(state)) folding(state, chunkStep(state, chunk))
  expect(folding(state, chunkStep(state, second))).toContain('not there')
  const digest = chained(second.after, two)
  const end = { ...endOf(state), catalogs: { parts: 2, digest } }
  expect(folding(state, signedStep(state, end))).toBe('its change sets are missing')
  expect(folding(state, chunkStep(state, first))).toBe(null)
  expect(folding(state, chunkStep(state, first))).toContain('there already')
  expect(folding(state, signedStep(state, end))).toBe('its change sets are missing')
  expect(folding(state, chunkStep(state, second))).toBe(null)
  expect(folding(state, signedStep(state, end))).toBe(null)
  expect(state.place.era).toBe(2)
})
