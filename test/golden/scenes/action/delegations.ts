// Calls for others: chains that count, each way in which one does not, people who are asked about
// such a call, and what stops it after its verdict; and that it holds in the next era.
import { newestRules } from '#rules/catalog/rules-version'
import { jsonOf } from '#record/canonical'
import { nameOf } from '#record/names'
import { rotate } from '#replay/eras/rotate'
import { connect, type Delegating, type IntentFields } from '#client/connect'
import { testKey, testPublicKey } from '#testing/setup'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { answer, bind, later, played, quiet, reason, say, type Play } from '../../play.ts'

const minute = 60_000
const session = 'S-D'
const open = { type: 'object' }
const large = { name: 'large', effect: 'confirm' as const, when: 'has(args.n) && args.n > 10' }
const WRITE = 'WRITE' as const

export const delegationsSetup = {
  catalog: {
    capabilities: [
      { id: 'look', safetyClass: 'READ' as const, argsSchema: open },
      { id: 'write', safetyClass: WRITE, argsSchema: open },
      {
        id: 'person',
        safetyClass: 'READ' as const,
        sensitivity: 'PII' as const,
        allowedFields: ['id', 'name'],
        argsSchema: open,
      },
      { id: 'ask', safetyClass: 'READ' as const, argsSchema: open, conditions: [large] },
      {
        id: 'desk',
        safetyClass: 'READ' as const,
        argsSchema: open,
        conditions: [{ ...large, confirmation: 'desk' }],
      },
    ],
    confirmations: [{ id: 'desk', tier: 'four_eyes' as const, group: 'desk' }],
    groups: [{ id: 'desk', members: ['piet', 'quin', 'olga'] }],
    principals: [
      { id: 'front' },
      ...['planner', 'helper', 'third', 'fourth'].map((id) => ({
        id,
        owner: 'piet',
        roles: ['writer'],
        attributes: { tenant: 'eu' },
        keys: [testPublicKey(id)],
      })),
      { id: 'intern', owner: 'piet', keys: [testPublicKey('intern')] },
    ],
    trustedEvidence: [{ sender: 'front', for: ['*'] }],
    limits: ['READ' as const, WRITE].map((safetyClass) => ({
      safetyClass,
      uses: 100,
      windowMs: minute,
    })),
    rules: newestRules,
  },
} satisfies TestSetup

type Given = Partial<Omit<Delegating, 'session'>> & { readonly session?: string }

/** Lets `bot` act for an hour, unless it says otherwise, and gives the name. */
async function delegates(play: Play, as: string, given: Given = {}): Promise<string> {
  const privateKey = as === 'olga' ? keys.olga : testKey(as)
  const client = await connect({ as, privateKey, runtime: play.runtime })
  const until = play.time.now + 60 * minute
  const capabilities = ['look', 'write', 'ask', 'desk', 'person']
  const { session: of = session, ...more } = given
  const usual = { to: 'bot', capabilities, until }
  const { name } = await client.delegate({ ...usual, ...more, session: client.session(of) })
  return name
}

function asks(play: Play, delegation: string, more: Partial<IntentFields> = {}): Promise<string> {
  const { tool = 'look', args = {}, ...fields } = more
  const intent = { tool, args, justification: reason, delegation, ...fields }
  return played(play, { session, intent: jsonOf(intent) })
}

export async function delegationsScene(play: Play): Promise<void> {
  await counting(play)
  await notCounting(play)
  await standing(play)
  await people(play)
  await stopped(play)
  const kept = await delegates(play, 'planner', { constraints: { max_rows: 2 } })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks(play, kept)
  await later(play, 61 * minute)
  await asks(play, kept)
}

async function counting(play: Play): Promise<void> {
  const constraints = { max_rows: 5, allowed_fields: ['name', 'total'] }
  const first = await delegates(play, 'planner', { to: 'helper', constraints })
  const when = 'args.n < 3'
  const capabilities = ['look', 'person']
  const second = await delegates(play, 'helper', { parent: first, capabilities, when })
  await asks(play, second, { args: { n: 1 }, constraints: { max_rows: 9 } })
  await asks(play, second, { args: { n: 3 } })
  await asks(play, second, { tool: 'write', args: { n: 1 } })
  await asks(play, second, { tool: 'person', args: { n: 2 } })
  const other = { max_rows: 1, allowed_fields: ['total'] }
  const nothing = await delegates(play, 'planner', { constraints: other })
  await asks(play, nothing, { constraints: { allowed_fields: ['id'] } })
  // Whose role is missing, and whose is not.
  const intern = await delegates(play, 'intern')
  await asks(play, intern, { tool: 'write' })
  await asks(play, intern)
}

async function notCounting(play: Play): Promise<void> {
  await asks(play, 'main.1.vlp.planner.S-D.none')
  await asks(play, await delegates(play, 'planner', { session: 'S-E' }))
  await asks(play, await delegates(play, 'planner', { to: 'helper' }))
  await asks(play, nameOf(play.runtime.follower.state.place, 'vlp', await say(play, { session })))
  const fields = { receiver: 'bot', payload: { delegation: { capabilities: ['look'], until: '' } } }
  const { place } = play.runtime.follower.state
  const bad = await say(play, { as: 'planner', session, message: fields })
  await asks(play, nameOf(place, 'vlp', bad))
  const until = '2100-01-01T00:00:00Z'
  const unsigned = { ...fields, payload: { delegation: { capabilities: ['look'], until } } }
  const forged = await say(play, { as: 'planner', session, message: unsigned })
  await asks(play, nameOf(place, 'vlp', forged))
  const stranger = await say(play, { as: 'stranger', session, message: unsigned })
  await asks(play, nameOf(place, 'vlp', stranger))
  const narrow = await delegates(play, 'planner', { to: 'helper', capabilities: ['write'] })
  await asks(play, await delegates(play, 'helper', { parent: narrow }))
  // One after the other, the last one too many.
  let parent: string | undefined
  const ids = ['olga', 'fourth', 'third', 'planner', 'helper', 'bot'] as const
  for (const [index, to] of ids.slice(1).entries()) {
    const handed = parent === undefined ? {} : { parent }
    parent = await delegates(play, ids[index] ?? '', { to, until, ...handed })
  }
  await asks(play, parent ?? '')
  const back = await delegates(play, 'helper', { to: 'planner' })
  await asks(play, await delegates(play, 'planner', { parent: back }))
  const circle = await delegates(play, 'planner', { to: 'helper', parent: back })
  await asks(play, await delegates(play, 'helper', { parent: circle }))
}

async function standing(play: Play): Promise<void> {
  const name = await delegates(play, 'planner')
  const privateKey = testKey('planner')
  const planner = await connect({ as: 'planner', privateKey, runtime: play.runtime })
  await planner.undelegate(name, { session: planner.session(session) })
  await asks(play, name)
  await asks(play, await delegates(play, 'planner', { until: play.time.now - 1 }))
  const third = await delegates(play, 'third')
  await changeCatalog(play.runtime, { op: 'suspend', id: 'third' })
  await asks(play, third)
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'third' })
  await asks(play, third)
  const revocation = { target: { agent: 'third' }, by: 'root' as const }
  await play.bot.revoke({ ...revocation, privateKey: keys.root })
  await asks(play, third)
  const safety = { level: 'block', issues: [] }
  const fourth = await delegates(play, 'fourth')
  await say(play, { as: 'front', session, message: { receiver: 'fourth', safety } })
  await asks(play, fourth)
}

async function people(play: Play): Promise<void> {
  const name = await delegates(play, 'planner')
  // The owners of both do not count; then a person lets its own agent act.
  const asked = await asks(play, name, { tool: 'desk', args: { n: 11 } })
  await answer(play, asked, { by: 'quin' })
  const own = await delegates(play, 'olga')
  await asks(play, own, { tool: 'ask', args: { n: 12 } })
  const owner = await asks(play, name, { tool: 'ask', args: { n: 13 } })
  await answer(play, owner, { by: 'olga' })
  const ended = await asks(play, name, { tool: 'desk', args: { n: 14 } })
  await changeCatalog(play.runtime, { op: 'suspend', id: 'planner' })
  await answer(play, ended, { by: 'quin' })
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'planner' })
  // For the agent alone it is another request than for both.
  const twice = await asks(play, name, { tool: 'desk', args: { n: 15 } })
  await asks(play, name, { tool: 'desk', args: { n: 15 } })
  await answer(play, twice, { by: 'quin', yes: false })
}

async function stopped(play: Play): Promise<void> {
  const name = await delegates(play, 'helper')
  const { place } = play.runtime.follower.state
  const begun = async (address: string): Promise<void> => {
    const intent = { address, agent: 'bot', session }
    const verdict = nameOf(place, 'verdict', address)
    await bind(play, 'start', nameOf(place, 'start', address), { intent, verdict })
    const outcome = { intent, outcome: 'refused', code: 'warrant_revoked' }
    await bind(play, 'outcome', nameOf(place, 'outcome', address), outcome)
    await quiet(play)
  }
  const first = await asks(play, name)
  const second = await asks(play, name, { args: { again: true } })
  await changeCatalog(play.runtime, { op: 'suspend', id: 'helper' })
  await begun(first)
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'helper' })
  const target = { agent: 'helper' }
  await play.bot.revoke({ target, by: 'root', privateKey: keys.root })
  await begun(second)
}
