// What clients state beside their requests: the goal that tools are listed for, which decides
// nothing, and why a call is made, which is recorded as the client's own word.
import { describe, expect, test } from 'vitest'
import { readData } from '#record/event'
import { partsInRealm } from '#record/names'
import { hasRules, newestRules } from '#rules/catalog/rules-version'
import { requestOf } from '#replay/verdicts/request'
import { factAbout } from '#runtime/engine/binding'
import { agreed, importedAs, intentIn, outcomes, proxied, type Proxied } from './proxied.ts'

const letters = {
  send: { description: 'send a letter' },
  leak: { description: 'cards' },
  row: { description: 'a letter, row by row' },
}
const forbidden = {
  ...letters,
  send: { ...letters.send, conditions: [{ name: 'no', effect: 'deny' as const, when: 'true' }] },
}

type Client = Awaited<ReturnType<Proxied['connected']>>

const listed = async (client: Client, goal?: string): Promise<readonly string[]> => {
  const params = goal === undefined ? undefined : { _meta: { 'warrant/goal': goal } }
  return (await client.listTools(params)).tools.map(({ name }) => name).toSorted()
}

for (const era of ['auto', 'legacy'] as const) {
  describe(`a shortlist for a client ${era === 'auto' ? 'of 2026' : 'of 2025'}`, () => {
    test('lists what fits its goal, and else what fits that of the operator', async () => {
      const shortlist = { max: 1, goal: 'cards' }
      const on = await proxied({ capabilities: letters, shortlist })
      const client = await on.connected(era)
      expect(await listed(client)).toEqual(['leak'])
      expect(await listed(client, 'send a letter')).toEqual(['send'])
    })

    test('hides no tool where there is no goal, or one that fits nothing', async () => {
      const on = await proxied({ capabilities: letters, shortlist: { max: 1 } })
      const client = await on.connected(era)
      expect(await listed(client)).toEqual(['leak', 'row', 'send'])
      expect(await listed(client, 'écrire une lettre')).toEqual(['leak', 'row', 'send'])
    })

    test('shows no tool that is not as it was approved, however well it fits', async () => {
      const changed = { ...letters, send: { ...letters.send, ...importedAs('send', 'other') } }
      const on = await proxied({ capabilities: changed, shortlist: { max: 3 } })
      expect(await listed(await on.connected(era), 'send a letter')).toEqual(['row'])
    })

    test('decides nothing: what it leaves out runs, and what it lists may be denied', async () => {
      const shortlist = { max: 1, goal: 'send a letter' }
      const on = await proxied({ capabilities: forbidden, shortlist })
      const client = await on.connected(era)
      expect(await listed(client)).toEqual(['send'])
      const denied = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
      expect(denied.isError).toBe(true)
      expect(await on.ran()).toEqual([])
      const answer = await client.callTool({ name: 'leak', arguments: {} })
      expect(answer.isError).not.toBe(true)
      expect(await on.ran()).toEqual(['leak'])
    })

    test('takes no goal that is not a text', async () => {
      const on = await proxied({ capabilities: letters, shortlist: { max: 1 } })
      const client = await on.connected(era)
      for (const goal of [7, 'x'.repeat(8_001)]) {
        const params = { _meta: { 'warrant/goal': goal } }
        await expect(client.listTools(params)).rejects.toThrow('warrant/goal')
      }
    })
  })
}

const knowingEqual = [...Array(newestRules).keys()]
  .map((before) => before + 1)
  .filter((rules) => hasRules({ rules }, 'equalRequests'))

const write = { safetyClass: 'WRITE' as const }
const reason = 'Ann asked for this letter yesterday'

describe('the reason of a call', () => {
  const call = (client: Client, stated?: unknown) => {
    const _meta = stated === undefined ? {} : { _meta: { 'warrant/justification': stated } }
    return client.callTool({ name: 'send', arguments: { to: 'ann' }, ..._meta })
  }

  test('is what its client states, and then no one is asked for one', async () => {
    const on = await proxied({ capabilities: { send: write } })
    const client = await on.connected('auto')
    expect((await call(client, reason)).isError).not.toBe(true)
    expect(await outcomes(on)).toEqual(['ownoutcome succeeded'])
    expect(await requested(on, await first(on))).toMatchObject({
      tool: 'send',
      justification: reason,
    })
  })

  test('is not made up where the client states none: its owner is asked', async () => {
    const on = await proxied({ capabilities: { send: write } })
    const client = await on.connected('auto')
    const address = intentIn(await call(client))
    expect(await requested(on, address)).not.toHaveProperty('justification')
    const [review] = await on.bot.reviews()
    expect(review?.review.questions).toEqual([{ kind: 'justification' }])
    await agreed(on, address)
    expect((await call(client)).isError).not.toBe(true)
  })

  test.each(knowingEqual)(
    'takes the place of a call that lacks it alone, by the rules of version %i',
    async (rules) => {
      const on = await proxied({ capabilities: { send: write }, catalog: { rules } })
      for (const era of ['auto', 'legacy'] as const) {
        const client = await on.connected(era)
        const waits = await call(client)
        expect(JSON.stringify(waits.content)).toContain('warrant/justification')
        expect((await call(client, reason)).isError).not.toBe(true)
        expect(await on.bot.reviews()).toEqual([])
        const verdict = await verdictOf(on, intentIn(waits))
        expect(verdict?.reasons.map(({ code }) => code)).toContain('withdrawn')
      }
      expect(await on.ran()).toEqual(['send', 'send'])
    },
  )

  test('adds nothing to a call that lacks more: what was asked about first is', async () => {
    const conditions = [
      { name: 'ask', effect: 'confirm' as const, when: 'true', question: 'May it?' },
    ]
    const catalog = { rules: newestRules }
    const on = await proxied({ capabilities: { send: { ...write, conditions } }, catalog })
    const client = await on.connected('auto')
    const address = intentIn(await call(client, reason))
    const again = call(client, `${reason}, once more`)
    await agreed(on, address)
    expect((await again).isError).not.toBe(true)
    expect(await on.ran()).toEqual(['send'])
    expect(await requested(on, address)).toMatchObject({ justification: reason })
  })

  test('is that of the first call once that is decided', async () => {
    const on = await proxied({ capabilities: { send: write } })
    const client = await on.connected('legacy')
    const address = intentIn(await call(client))
    await agreed(on, address)
    expect((await call(client, reason)).isError).not.toBe(true)
    expect(await on.ran()).toEqual(['send'])
    expect(await requested(on, address)).not.toHaveProperty('justification')
  })

  test('is a text, or the call is refused before anything is recorded', async () => {
    const on = await proxied({ capabilities: { send: write } })
    const client = await on.connected('auto')
    for (const stated of [{ because: 'x' }, 'x'.repeat(8_001)]) {
      await expect(call(client, stated)).rejects.toThrow('warrant/justification')
    }
    expect(on.runtime.follower.state.intents.size).toBe(0)
  })
})

async function first({ log }: Proxied): Promise<string> {
  for await (const { name } of log.read({})) {
    const { kind, address } = partsInRealm(name, 'main') ?? {}
    if (kind === 'vlp') return address ?? ''
  }
  return ''
}

async function verdictOf({ runtime }: Proxied, address: string) {
  return readData('verdict', await factAbout(runtime, 'verdict', address))
}

async function requested({ runtime }: Proxied, address: string) {
  return requestOf(await factAbout(runtime, 'vlp', address), address)
}
