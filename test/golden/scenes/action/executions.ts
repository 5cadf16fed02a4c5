// What a gateway carries out: begun, ended, refused, never heard of again, run again after a person
// has looked, settled by a person, and all of that over the end of an era.
import { newestRules } from '#rules/catalog/rules-version'
import { digestOfJson } from '#record/digest'
import { nameOf } from '#record/names'
import { readEvent } from '#record/event'
import { rotate } from '#replay/eras/rotate'
import { keys, type TestSetup } from '../../../support/runtime.ts'
import { answer, bind, played, quiet, reason, type Play } from '../../play.ts'
import { setup } from '../cast.ts'

const argsSchema = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    copies: { type: 'integer', default: 1 },
  },
  required: ['to'],
}

export const executionsSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      {
        id: 'post',
        safetyClass: 'READ' as const,
        argsSchema,
        version: '1.4.0',
        driver: { kind: 'local' as const, operation: 'post' },
        execution: { timeoutMs: 1_000, idempotent: true },
        conditions: [
          { name: 'few', effect: 'require' as const, when: 'args.copies < 3' },
        ],
      },
    ],
    servers: [{ id: 'files', command: ['files-server'] }],
    rules: newestRules,
  },
} satisfies TestSetup

export async function executionsScene(play: Play): Promise<void> {
  const asks = (args: { readonly to: string; readonly copies?: number }) => {
    return played(play, { intent: { tool: 'post', args, justification: reason } })
  }
  // The default is judged as if it had been given.
  await asks({ to: 'ann', copies: 3 })
  const done = await asks({ to: 'ann' })
  await begin(play, done)
  await end(play, done, { outcome: 'succeeded', result: { digest: digestOfJson('ok'), bytes: 4 } })
  for (const [number, more] of [
    [1, { rows: 1 }],
    [2, { rows: 0, refused: 'rows_exceeded' }],
  ] as const) {
    const { place } = play.runtime.follower.state
    const name = nameOf(place, 'expansion', done, number)
    const said = { number, gateway: 'gw-1', query: digestOfJson({ offset: number }), ...more }
    await bind(play, 'expansion', name, { intent: intentAt(done), ...said })
  }
  const refused = await asks({ to: 'ben' })
  await begin(play, refused)
  await end(play, refused, { outcome: 'refused', code: 'agent_suspended' })

  const lost = await asks({ to: 'cid' })
  await begin(play, lost)
  await end(play, lost, { outcome: 'unknown', code: 'gateway_stopped', attempts: 2 })
  // With the default written out it is the same call.
  const again = await asks({ to: 'cid', copies: 1 })
  await answer(play, again)
  await begin(play, again)
  await end(play, again, { outcome: 'unknown' })
  for (const [by, key] of [
    ['piet', keys.olga],
    ['olga', keys.root],
    ['olga', keys.olga],
  ] as const) {
    await settle(play, again, by, key)
  }
  await asks({ to: 'cid' })

  const open = await asks({ to: 'dan' })
  await begin(play, open)
  const unknown = await asks({ to: 'eve' })
  await begin(play, unknown)
  await end(play, unknown, { outcome: 'unknown' })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await end(play, open, { outcome: 'unknown' })
  await asks({ to: 'dan' })
  await asks({ to: 'eve' })
  await settle(play, unknown, 'olga', keys.olga)
  await asks({ to: 'eve', copies: 1 })
}

async function begin(play: Play, address: string): Promise<void> {
  const { place } = play.runtime.follower.state
  const name = nameOf(place, 'verdict', address)
  const fact = await play.log.get(name)
  const reading = fact === undefined ? null : readEvent('verdict', fact)
  const terms = reading?.ok === true ? reading.event.data.terms : null
  await bind(play, 'start', nameOf(place, 'start', address), {
    capability: 'post',
    executed: terms?.executedDigest ?? digestOfJson(null),
    gateway: 'gw-1',
    intent: intentAt(address),
    until: '2026-01-01T01:00:00.000Z',
    verdict: name,
  })
}

async function end(play: Play, address: string, said: object): Promise<void> {
  const { place } = play.runtime.follower.state
  const name = nameOf(place, 'outcome', address)
  await bind(play, 'outcome', name, { intent: intentAt(address), ...said })
  await quiet(play)
}

async function settle(play: Play, address: string, by: string, key: string): Promise<void> {
  const { place } = play.runtime.follower.state
  const content = { intent: intentAt(address), happened: false, by, note: 'the post office says so' }
  const name = nameOf(place, 'settlement', address, by === 'piet' ? 'piet' : key === keys.olga ? by : 'x')
  await bind(play, 'settlement', name, content, key)
  await quiet(play)
}

function intentAt(address: string) {
  return { address, agent: address.split('.')[0] ?? '', session: null }
}
