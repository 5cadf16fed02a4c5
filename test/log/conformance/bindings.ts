// Cases of the one idea: a name is bound at most once, no matter who tries.
import { expect } from 'vitest'
import { type Cases, utf8, nameOf, entryOf, upTo, plain, positions, gather } from './cases.ts'

export const bindingCases: Cases = {
  'of fifty concurrent writers one wins, and all others get its fact': async ({ log, harness }) => {
    const handles = [log, await harness.open(), await harness.open()]
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        upTo(50).map((writer) => {
          const bytes = utf8.encode(`writer ${writer} of round ${round}`)
          return (handles[writer % handles.length] ?? log).append({ name: nameOf(round), bytes })
        }),
      )
      expect(answers.filter((answer) => answer.appended)).toHaveLength(1)
      const winner = plain(answers.find((answer) => answer.appended)?.fact)
      for (const answer of answers) expect(plain(answer.fact)).toEqual(winner)
      expect(plain(await log.get(nameOf(round)))).toEqual(winner)
    }
    expect(positions(await gather(log.read({})))).toEqual(upTo(20))
  },

  'a later append of a bound name changes nothing, on any handle': async ({ log, harness }) => {
    const { fact } = await log.append(entryOf(1))
    const other = await harness.open()
    for (const handle of [log, other, log]) {
      const answer = await handle.append({ name: nameOf(1), bytes: utf8.encode('other bytes') })
      expect(answer.appended).toBe(false)
      expect(plain(answer.fact)).toEqual(plain(fact))
    }
    expect((await log.head()).position).toBe(1)
  },

  'names that differ only in case, or begin alike, are different names': async ({ log }) => {
    const names = [
      'main.1.note.a',
      'main.1.note.A',
      'main.1.note.a.b',
      'main.1.note.a-b',
      'main.1.note',
    ]
    const bytes = utf8.encode('x')
    const answers = await Promise.all(names.map((name) => log.append({ name, bytes })))
    expect(answers.map((answer) => answer.appended)).toEqual(names.map(() => true))
  },

  'a name that no one bound is undefined': async ({ log }) => {
    await log.append(entryOf(1))
    expect(await log.get(nameOf(2))).toBeUndefined()
    expect(await log.get('main.1.note')).toBeUndefined()
  },

  'a fact that another handle has just appended is found at once': async ({ log, harness }) => {
    const other = await harness.open()
    for (const index of upTo(50)) {
      await log.append(entryOf(index))
      expect((await other.get(nameOf(index)))?.position).toBe(index)
      expect((await other.head()).position).toBe(index)
    }
  },
}
