// Results that are published as digests: known values find in them what they find in the results
// themselves, in every call of the office seed, and nothing of a result is in the message.
import { readFile } from 'node:fs/promises'
import { assert, describe, expect, test } from 'vitest'
import { identifierLimits } from '#schemas/action/identifiers'
import type { ValueKind } from '#schemas/values'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { frame } from '#firewall/frame'
import { resultEvidence, type GivenResult } from '#firewall/result-evidence'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'
import { isPointer } from '#knowledge/known/pointer'
import type { SaidMessage } from '#knowledge/known/said-parts'
import type { Json } from '#record/canonical'
import { readJson } from '#record/json'
import { readOffice } from '#cli/demo/office-recording'
import type { Result } from '#demo/recorded'

const seed = new URL('../../seeds/office/', import.meta.url)
const kinds: readonly ValueKind[] = ['email', 'account', 'id', 'name', 'url', 'amount', 'path']
const salt = 'AAAAAAAAAAAAAAAAAAAAAA'

function evidenceOf(given: Partial<GivenResult> & Pick<GivenResult, 'value'>) {
  return resultEvidence({
    tool: 'inbox',
    args: {},
    frame: frame(given.value, { mode: 'handle_only' }),
    kinds,
    distrust: { parts: [], also: [], own: [] },
    salt,
    ...given,
  })
}

function message(payload: unknown): SaidMessage {
  return { name: 'm', sender: 'gateway', content: '', payload, counts: true }
}

const driven: ValueEvidence = { ...noEvidence, untrusted: () => [], isDriven: () => true }
const to = [{ arg: '/to', kind: 'email' as const }]
const strict = [{ arg: '/to', kind: 'email' as const, unknown: 'deny' as const }]

describe('the office seed', () => {
  test('has the same known values by digests as by results', async () => {
    const folder = new URL('sample', seed).pathname
    const { environment, sessions } = await readOffice(folder)
    const bytes = await readFile(new URL(`${environment.suite}/catalog.json`, seed))
    const reading = readJson(bytes, { bytesMax: 1_000_000, depthMax: 32 })
    const file = catalogFromFile(reading.ok ? reading.value : null)
    assert(file.catalog !== undefined)
    const { capabilities } = file.catalog
    const own = environment.user.ownAccounts
    const attributes = own.map((value) => ({ principal: 'user', attribute: 'own', value }))
    const base: ValueEvidence = {
      ...noEvidence,
      attributes,
      untrusted: (tool) => capabilities.get(tool)?.untrusted ?? null,
      isDriven: () => true,
    }
    const needed = [
      ...new Set(
        [...capabilities.values()].flatMap(({ known = [] }) => known.map(({ kind }) => kind)),
      ),
    ]
    let compared = 0
    for (const { steps } of sessions) {
      const full: SaidMessage[] = []
      const short: SaidMessage[] = []
      const calls = new Map<number, object>()
      for (const step of steps) {
        if (step.kind === 'user') {
          const said = { ...message(null), content: step.text, sender: 'user' }
          full.push(said)
          short.push(said)
        } else if (step.kind === 'result') {
          const args: Json = JSON.parse(JSON.stringify(calls.get(step.call) ?? {}))
          full.push(message(fullOf(step, args)))
          short.push(message(shortOf(step, args)))
        } else {
          calls.set(step.step, step.args)
          const { known = [] } = capabilities.get(step.tool) ?? {}
          const [one, other] = [full, short].map((messages) => {
            return soughtValues(known, step.args, { ...base, messages }).map(
              ({ found, unknown }) => {
                const { pointer: _, ...rest } = found
                return { ...rest, unknown }
              },
            )
          })
          expect(other).toEqual(one)
          compared += known.length
        }
      }
    }
    expect(compared).toBeGreaterThan(10)

    function fullOf({ tool, error, value, untrusted }: Result, args: Json) {
      return { tool, args, error, value, ...(untrusted !== undefined && { untrusted }) }
    }

    function shortOf({ tool, value, untrusted = [] }: Result, args: Json) {
      const parts = capabilities.get(tool)?.untrusted ?? null
      const result: Json = JSON.parse(JSON.stringify(value ?? null))
      const also = untrusted.every(isPointer) ? untrusted : null
      return evidenceOf({
        tool,
        args,
        value: result,
        kinds: needed,
        distrust: { parts, also, own },
      })
    }
  })
})

describe('a result as digests', () => {
  test('has nothing of the result in it', () => {
    const value = [{ sender: 'ann@example.com', account: 'GB82 WEST 1234 5698 7654 32', n: 77_123 }]
    const text = JSON.stringify(evidenceOf({ value }))
    expect(text).not.toMatch(/ann|example|GB82|WEST|77123/i)
    expect(text).toContain('"pointer":"/0/sender"')
  })

  test('makes known what stands in it, whole or in a text', () => {
    const value = { a: 'ann@example.com', b: 'write to Bob@Example.com.' }
    const messages = [message(evidenceOf({ value }))]
    const found = (address: string) =>
      soughtValues(to, { to: address }, { ...driven, messages })[0]?.found
    expect(found('Ann@example.com')).toMatchObject({ found: 'message', tool: 'inbox' })
    expect(found('bob@example.com')).toMatchObject({ found: 'message' })
    expect(found('eve@example.com')).toMatchObject({ found: 'nowhere' })
  })

  test('says what others can have written, and the catalog of now can only add to it', () => {
    const value = { from: 'ann@example.com', body: 'eve@example.com' }
    const parts = [{ pointer: '/body' }]
    const payload = evidenceOf({ value, distrust: { parts, also: [], own: [] } })
    const messages = [message(payload)]
    const found = (address: string, now: ValueEvidence['untrusted']) =>
      soughtValues(to, { to: address }, { ...driven, messages, untrusted: now })[0]?.found.found
    expect(found('eve@example.com', () => [])).toBe('untrusted')
    expect(found('ann@example.com', () => [])).toBe('message')
    expect(found('ann@example.com', () => [{ pointer: '/*' }])).toBe('untrusted')
    expect(found('ann@example.com', () => null)).toBe('untrusted')
  })

  test('of the call that was given the value makes nothing known', () => {
    const args = { query: 'ann@example.com' }
    const messages = [message(evidenceOf({ value: { a: 'ann@example.com' }, args }))]
    const [sought] = soughtValues(to, { to: 'ann@example.com' }, { ...driven, messages })
    expect(sought?.found.found).toBe('repeated')
  })

  test('counts only of tools that a gateway runs, and of senders who are believed', () => {
    const said = message(evidenceOf({ value: 'ann@example.com' }))
    const call = { to: 'ann@example.com' }
    const undriven = { ...driven, isDriven: () => false, messages: [said] }
    expect(soughtValues(to, call, undriven)[0]?.found.found).toBe('nowhere')
    const doubted = { ...driven, messages: [{ ...said, counts: false }] }
    expect(soughtValues(to, call, doubted)[0]?.found.found).toBe('untrusted')
  })

  test('has another digest for the same value under another salt', () => {
    const one = JSON.stringify(evidenceOf({ value: 'ann@example.com' })['identifiers'])
    const other = evidenceOf({ value: 'ann@example.com', salt: 'BAAAAAAAAAAAAAAAAAAAAA' })
    expect(JSON.stringify(other['identifiers'])).not.toBe(one)
  })

  test('is bounded, and what is not found in an incomplete one is asked about, not refused', () => {
    const value = Array.from({ length: 3_000 }, (_, index) => `a${index}@example.com`)
    const payload = evidenceOf({ value, kinds: ['email'] })
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThanOrEqual(
      identifierLimits.bytesMax,
    )
    expect(payload['incomplete']).toBe(true)
    const messages = [message(payload)]
    const sought = (address: string) =>
      soughtValues(strict, { to: address }, { ...driven, messages })[0]
    expect(sought('a1@example.com')?.found.found).toBe('message')
    expect(sought('a2999@example.com')).toMatchObject({
      unknown: 'ask',
      found: { found: 'nowhere' },
    })
    const whole = [message(evidenceOf({ value: value.slice(0, 100), kinds: ['email'] }))]
    expect(
      soughtValues(strict, { to: 'x@example.com' }, { ...driven, messages: whole })[0]?.unknown,
    ).toBe('deny')
  })

  test('leaves out first what others can have written, which makes it no less complete', () => {
    const value = {
      from: 'ann@example.com',
      body: Array.from({ length: 3_000 }, (_, index) => `a${index}@example.com`),
    }
    const parts = [{ pointer: '/body' }]
    const payload = evidenceOf({ value, distrust: { parts, also: [], own: [] } })
    expect(payload['incomplete']).toBeUndefined()
    const messages = [message(payload)]
    const call = { to: 'ann@example.com' }
    expect(soughtValues(to, call, { ...driven, messages })[0]?.found.found).toBe('message')
  })

  test.each([
    { identifiers: 'all' },
    { salt: 5 },
    { identifiers: [{ kind: 'email', pointer: '', digest: 'x' }] },
    { incomplete: false },
  ])('that cannot be read makes nothing known: %o', (broken) => {
    const payload = { ...evidenceOf({ value: 'ann@example.com' }), ...broken }
    const call = { to: 'ann@example.com' }
    const sought = soughtValues(to, call, { ...driven, messages: [message(payload)] })
    expect(sought[0]?.found.found).toBe('nowhere')
  })
})
