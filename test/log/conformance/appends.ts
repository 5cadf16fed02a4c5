// Cases of what is appended: what is refused, what is kept, in which order.
import { expect } from 'vitest'
import { entryBytesMax } from '#ports/log'
import {
  type Cases,
  utf8,
  nameOf,
  entryOf,
  upTo,
  numbered,
  plain,
  positions,
  codeOf,
  gather,
  appendAll,
} from './cases.ts'

export const appendCases: Cases = {
  'an invalid name is refused, and nothing is stored': async ({ log }) => {
    const bytes = utf8.encode('x')
    const long = `main.1.${'n'.repeat(65)}`
    const names = ['', 'main', 'main.1', 'main.1.', 'main..note', 'main.1.a b', 'main.1.*']
    for (const name of [...names, 'main.1.>', 'main.1.ü', long, 'a.b.c.d.e.f.g.h.i.j']) {
      expect(await codeOf(log.append({ name, bytes })), name).toBe('entry_invalid never')
    }
    expect(await log.head()).toMatchObject({ position: 0, appendedAt: 0 })
  },

  'its head says the time that it stamps by, where this machine does not': async ({ log }) => {
    const { now = Date.now() } = await log.head()
    const { fact } = await log.append(entryOf(1))
    expect(fact.appendedAt).toBeGreaterThanOrEqual(now)
    expect(fact.appendedAt).toBeLessThan(now + 5_000)
  },

  'an append whose time no one reads binds as any other, and the log has the time': async ({
    log,
  }) => {
    const bound = await log.append(entryOf(1), { untimed: true })
    expect(bound).toMatchObject({ appended: true, fact: { ...entryOf(1), position: 1 } })
    const again = await log.append(entryOf(1), { untimed: true })
    expect(again).toMatchObject({ appended: false, fact: { name: nameOf(1), position: 1 } })
    const kept = await log.get(nameOf(1))
    expect(kept?.appendedAt).toBeGreaterThan(0)
    expect((await log.append(entryOf(2))).fact.appendedAt).toBeGreaterThanOrEqual(
      kept?.appendedAt ?? Infinity,
    )
  },

  'the largest entry is kept, and one byte more is refused': async ({ log }) => {
    const bytes = new Uint8Array(entryBytesMax + 1).fill(7)
    const over = log.append({ name: nameOf(1), bytes })
    expect(await codeOf(over)).toBe('entry_invalid never')
    const most = bytes.subarray(1)
    await log.append({ name: nameOf(2), bytes: most })
    const kept = await log.get(nameOf(2))
    expect(kept?.position).toBe(1)
    expect(Buffer.compare(kept?.bytes ?? new Uint8Array(), most)).toBe(0)
  },

  'a refused entry does not fail those appended beside it': async ({ log }) => {
    const good = log.append(entryOf(1))
    const bad = log.append({ name: 'bad', bytes: utf8.encode('x') })
    const better = log.append(entryOf(2))
    expect(await codeOf(bad)).toBe('entry_invalid never')
    expect([(await good).fact.position, (await better).fact.position]).toEqual([1, 2])
  },

  'the bytes come back exactly, whatever they are': async ({ log, harness }) => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index)
    const kinds = [
      new Uint8Array(),
      all,
      new Uint8Array([0xff, 0xfe, 0, 0xc3, 0x28]),
      utf8.encode('é\u0000'),
    ]
    await appendAll(
      log,
      kinds.map((bytes, index) => ({ name: nameOf(index), bytes })),
    )
    const other = await harness.open()
    for (const [index, bytes] of kinds.entries()) {
      expect([...((await other.get(nameOf(index)))?.bytes ?? [])]).toEqual([...bytes])
    }
  },

  'a part of a larger buffer is stored, and not the buffer': async ({ log, harness }) => {
    const whole = utf8.encode('before the part after')
    await log.append({ name: nameOf(1), bytes: whole.subarray(7, 15) })
    const other = await harness.open()
    expect(new TextDecoder().decode((await other.get(nameOf(1)))?.bytes)).toBe('the part')
  },

  'positions are dense from 1, and times never step back': async ({ log, harness }) => {
    expect(await log.head()).toMatchObject({ position: 0, appendedAt: 0 })
    const before = Date.now() - 60_000
    const one = await appendAll(log, numbered(300))
    for (let index = 301; index <= 310; index += 1)
      one.push((await log.append(entryOf(index))).fact)
    const two = await appendAll(await harness.open(), numbered(50, 'note', 311))
    const facts = await gather(log.read({}))
    expect(positions(facts)).toEqual(upTo(360))
    for (const [index, fact] of facts.entries()) {
      expect(fact.appendedAt).toBeGreaterThanOrEqual(facts[index - 1]?.appendedAt ?? before)
    }
    const last = facts.at(-1)
    expect(await log.head()).toMatchObject({ position: 360, appendedAt: last?.appendedAt })
    const said = [...one, ...two].toSorted((a, b) => a.position - b.position)
    expect(said.map(plain)).toEqual(facts.map(plain))
  },

  'a fact once appended is still there when all handles have been closed': async ({
    log,
    harness,
  }) => {
    const { fact } = await log.append(entryOf(1))
    await log.close()
    const again = await harness.open()
    expect(plain(await again.get(nameOf(1)))).toEqual(plain(fact))
    expect((await again.append(entryOf(2))).fact.position).toBe(2)
  },
}
