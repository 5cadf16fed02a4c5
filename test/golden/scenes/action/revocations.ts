// What people take back: a warrant, all of a capability, all of an agent, a grant; what counts for
// nothing; and that it holds in the next era, too.
import { nameOf, token } from '#record/names'
import { rotate } from '#replay/eras/rotate'
import type { RevocationTarget } from '#schemas/action/revocation'
import { keys, type TestSetup } from '../../../support/runtime.ts'
import { bind, played, quiet, type Play } from '../../play.ts'

export const revocationsSetup: TestSetup = {
  catalog: {
    capabilities: [
      { id: 'look', safetyClass: 'READ', argsSchema: { type: 'object' } },
      { id: 'list', safetyClass: 'READ', argsSchema: { type: 'object' } },
    ],
  },
}

export async function revocations(play: Play): Promise<void> {
  const look = { intent: { tool: 'look' } }
  const first = await played(play, look)
  const target = { verdict: nameOf(play.runtime.follower.state.place, 'verdict', first) }
  await revoked(play, 'A', { target, by: 'olga', note: 'asked by mistake' })
  // Not hers, signed by another, and with a word of no target.
  await revoked(play, 'B', { target: { capability: 'look' }, by: 'olga' })
  await revoked(play, 'C', { target: { agent: 'bot' }, by: 'olga' }, 'piet')
  await revoked(play, 'D', { target: { session: '-' }, by: 'root' })
  await refused(play, first)
  await played(play, look)
  await revoked(play, 'E', { target: { capability: 'look' }, by: 'root' })
  await played(play, { intent: { tool: 'list' } })
  await revoked(play, 'F', { target: { agent: 'bot' }, by: 'olga' })
  await revoked(play, 'G', { target: { grant: 'main.1.grant.01JG.piet' }, by: 'piet' })
  const last = await played(play, { intent: { tool: 'list' } })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await revoked(play, 'H', { target: { agent: 'bot' }, by: 'root', note: 'it was stolen' })
  await refused(play, last)
  await play.bot.guard('list', () => 'done')({ again: true })
  await quiet(play)
}

interface Revoked {
  readonly target: RevocationTarget | Readonly<Record<string, string>>
  readonly by: keyof typeof keys
  readonly note?: string
}

async function revoked(play: Play, id: string, said: Revoked, signer = said.by): Promise<void> {
  const { place } = play.runtime.follower.state
  const name = nameOf(place, 'revocation', token(`01JR${id}`))
  await bind(play, 'revocation', name, { ...said }, keys[signer])
  await quiet(play)
}

async function refused({ bot }: Play, intent: string): Promise<void> {
  const guarded = bot.guard('look', () => 'never', { enforce: true })
  const other = bot.guard('list', () => 'never', { enforce: true })
  for (const tool of [guarded, other]) {
    await tool.redeem(intent).then(
      () => Promise.reject(new Error('it ran')),
      () => undefined,
    )
  }
}
