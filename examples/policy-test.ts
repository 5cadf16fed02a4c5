// Tests of a policy with node:test and nothing else. A refund is allowed only where the shop’s own
// records say that the order came broken; over 100 dollars a person must agree.
//   node --conditions=warrant-source --import tsx --test examples/policy-test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allow, callbackInput, decision, deny, evidence, given } from 'warrant-runtime/testing'
import { intent, passing, review, testPublicKey } from 'warrant-runtime/testing'
import type { CallbackInput } from 'warrant-runtime/testing'

// In a project these three are `callbacks.ts`, `graph.json` and `catalog.json` of its seed folder.
const callbacks = {
  orderIsBroken: ({ intent: { args }, evidence: said }: CallbackInput) => {
    const orders = said.map(({ payload }) => JSON.stringify(payload))
    const broken = JSON.stringify({ order: args['order'], state: 'broken' })
    return { passed: orders.includes(broken), message: 'no record says that it came broken' }
  },
  amountIsLarge: ({ intent: { args } }: CallbackInput) => {
    return { passed: true, applies: Number(args['dollars']) > 100 }
  },
}
const applies = { type: 'APPLIES_TO' as const, target: 'order', targetDepth: 1 }
const graph = {
  primitives: [
    { name: 'order', depths: [{ level: 0 }, { level: 1, properties: { what: 'a purchase' } }] },
    {
      name: 'refund',
      depths: [
        { level: 0 },
        {
          level: 1,
          properties: { what: 'give the price back' },
          relata: [
            {
              ...applies,
              policies: [
                { name: 'broken', requiresConfirmation: false, callback: 'orderIsBroken' },
                { name: 'large', requiresConfirmation: true, callback: 'amountIsLarge' },
              ],
            },
          ],
        },
      ],
    },
  ],
}
const catalog = {
  principals: [
    { id: 'agent', owner: 'ann' },
    { id: 'ann', keys: [testPublicKey('ann')] },
    { id: 'shop' },
  ],
  capabilities: [
    {
      id: 'refund_order',
      safetyClass: 'READ' as const,
      concepts: ['refund', 'order'],
      argsSchema: { type: 'object', required: ['order', 'dollars'] },
    },
  ],
  trustedEvidence: [{ sender: 'shop', for: ['orderIsBroken'] }],
}

const on = given({ graph, catalog, callbacks }, evidence('shop', { order: 7, state: 'broken' }))
const refund = (order: number, dollars: number) => {
  return intent('refund_order', { args: { order, dollars } })
}

void test('an order that came broken is refunded', () => {
  on.when(refund(7, 20)).then(allow())
})

void test('another order is not', () => {
  on.when(refund(8, 20)).then(deny({ code: 'policy_blocked', params: { policy: 'broken' } }))
})

void test('the word of the agent is no evidence', () => {
  const claim = evidence('agent', { order: 8, state: 'broken' })
  on.when(claim, refund(8, 20)).then(deny('policy_blocked'))
})

void test('a large refund waits for the owner, who has fifteen minutes', () => {
  const asked = on.when(refund(7, 101)).then(review({ confirmers: ['ann'] }))
  asked.when(decision('ann')).then(allow())
  asked.when(decision('ann', { answers: false })).then(deny('declined'))
  asked.when(passing(15 * 60_000 + 1)).then(deny('review_expired'))
})

void test('a callback by itself is a function', () => {
  const input = callbackInput({ intent: { args: { dollars: 100 } } })
  assert.equal(callbacks.amountIsLarge(input).applies, false)
})
