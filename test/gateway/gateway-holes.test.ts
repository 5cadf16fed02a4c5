// Holes of the reference kernel, each with what broke it there: a limit counted what was granted
// and not what ran (H4), the reason for a call was kept nowhere (H5), and rules as data never asked
// a person, left rows without a cap and took a misspelt key for no key (H13).
import { describe, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { digestOf } from '#record/digest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { isFrom } from '#messages/sender'
import { signMessage } from '#messages/signed-message'
import { VlpMessage } from '#schemas/vlp'
import { allow, review } from '#testing/expected'
import { testKey } from '#testing/setup'
import { intent } from '#testing/steps'
import { given } from '../support/given.ts'
import { sample } from '../support/samples/vlp-sample.ts'
import { bound, codes, look, place, reason } from '../support/scene.ts'
import { allowed, stand, type CapabilityInput } from './gateway-stand.ts'

describe('H4: a limit of two let five hundred calls through', () => {
  test('as the reference counted', () => {
    let granted = 0
    let ran = 0
    const grant = (): { readonly invoke: () => void } => {
      granted += 1
      expect(granted).toBeLessThanOrEqual(2)
      return { invoke: () => void (ran += 1) }
    }
    const token = grant()
    for (let call = 0; call < 500; call += 1) token.invoke()
    expect(ran).toBe(500)
  })

  test('what runs is counted: each warrant once, and no third one', async () => {
    const all = await stand({ uses: 2 })
    const { on, gateway } = all
    const intents = [await allowed(all), await allowed(all)]
    const third = await on.bot.ask({ tool: 'post', args: { to: 'ben' }, justification: reason })
    expect(codes(third)).toEqual(['rate_limited'])
    for (let round = 0; round < 5; round += 1) {
      for (const one of [...intents, third.intent]) {
        await gateway.call({ intent: one, presenter: 'bot' }).catch(() => null)
      }
    }
    expect(all.ran).toHaveLength(2)
  })
})

describe('H5: why a call was made was kept nowhere', () => {
  const goal = 'let Ann know when it comes'
  const call = { tool: 'post', args: { to: 'ann' }, goal, justification: reason }

  test('as the trace of the reference had it', () => {
    const trace = { capability: call.tool, principal: 'bot', args: call.args, event: 'invoke' }
    expect(JSON.stringify(trace)).not.toContain(reason)
  })

  test('it is in the log', async () => {
    const { on } = await stand()
    const verdict = await on.bot.ask(call)
    const fact = await bound(on.log, nameOf(place, 'vlp', verdict.intent))
    const text = Buffer.from(fact.bytes).toString('utf8')
    expect(text).toContain(reason)
    expect(text).toContain(goal)
  })

  test('and under the signature of the agent', () => {
    const key = testKey('bot')
    const of = { log: digestOf('the first catalog'), name: 'main.1.vlp.bot.-.A1' }
    const bot = { id: 'bot', keys: [publicKeyOf(key)] }
    const { catalog = emptyCatalog } = catalogFromFile({ principals: [bot] })
    const saying = (why: string) =>
      VlpMessage.parse(
        sample({ sender: 'bot', payload: { intent: { ...call, justification: why } } }),
      )
    const signed = signMessage(of, saying(reason), key)
    expect(isFrom(of.name, signed, { catalog, log: of.log })).toBe(true)
    const { payload = null } = saying('another reason, said later')
    expect(isFrom(of.name, { ...signed, payload }, { catalog, log: of.log })).toBe(false)
  })
})

describe('H13: rules as data could not ask, did not cap rows, and widened by a misspelt key', () => {
  /** What the reference did with a rule: a key that it did not know was no condition. */
  function matchesInReference(rule: Readonly<Record<string, string>>, roles: readonly string[]) {
    const known = ['role']
    return known.every((key) => rule[key] === undefined || roles.includes(rule[key]))
  }
  const principals = [{ id: 'ops-bot', roles: ['writer'], owner: 'olga' }]
  const on = (part: Partial<CapabilityInput>) =>
    given({ catalog: { capabilities: [{ ...look, ...part }], principals } })

  test('a misspelt key let everyone in, and is refused when it is written', () => {
    expect(matchesInReference({ role: 'ops' }, [])).toBe(false)
    expect(matchesInReference({ roles: 'ops' }, [])).toBe(true)
    const capabilities = [{ ...look, allow: [{ roles: 'ops' }] }]
    expect(catalogFromFile({ capabilities }).refused).toMatchObject({ code: 'catalog_invalid' })
  })

  test('a condition can ask a person, and so does a reason that is too short beside it', () => {
    const conditions = [{ name: 'large', when: 'args.n > 10', effect: 'confirm' as const }]
    const asks = (n: number, justification = reason) =>
      intent('look', { as: 'ops-bot', args: { n }, justification })
    const write = on({ conditions, safetyClass: 'WRITE' })
    write.when(asks(10)).then(allow())
    write.when(asks(11)).then(review({ questions: [{ kind: 'condition', rule: 'large' }] }))
    write.when(asks(10, 'too short')).then(review({ questions: [{ kind: 'justification' }] }))
  })

  test('rows are capped beside conditions, whatever the caller asks for', () => {
    const conditions = [{ name: 'any', when: 'true', effect: 'require' as const }]
    on({ conditions })
      .when(intent('look', { args: {}, constraints: { max_rows: 100_000 } }))
      .then(allow({ terms: { constraints: { max_rows: 50 } } }))
  })
})
