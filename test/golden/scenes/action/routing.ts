// Offers: what agents were offered for their goals, cited by what they then asked; an offer that
// counts for nothing; and a capability that is suspended before it is asked for, and while people
// are asked about it.
import { newestRules } from '#rules/catalog/rules-version'
import { publicKeyOf } from '#record/crypto/private-key'
import { connect } from '#client/connect'
import { changeCatalog, newKey, type TestSetup } from '../../../support/runtime.ts'
import { answer, played, quiet, reason, type Play } from '../../play.ts'
import { setup } from '../cast.ts'

const key = newKey()
const READ = 'READ' as const
const session = 'S-2026-01-01-bot-0ff3r5'
const imported = {
  from: 'mcp' as const,
  tool: 'read_mail',
  digest: `sha256:${'0'.repeat(64)}`,
}

export const routingSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      { id: 'mail.read', safetyClass: READ, description: 'Read a mail.', imported },
      { id: 'mail.search', name: 'Find mails', safetyClass: READ, suspended: true as const },
    ],
    principals: [
      ...setup.catalog.principals,
      { id: 'signer', owner: 'olga', keys: [publicKeyOf(key)] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function routingScene(play: Play): Promise<void> {
  const { runtime, bot } = play
  const asks = (tool: string, routing: string | null, more = {}) => {
    const message = routing === null ? {} : { message: { _extras: { routing } } }
    return played(play, { intent: { tool, args: {}, justification: reason }, ...message, ...more })
  }
  const offered = await bot.shortlist('read my mail')
  await asks('mail.read', offered.routing)
  await asks('mail.search', offered.routing)
  await asks('look', offered.routing)
  await asks('mail.read', 'bot.-.nowhere')
  const inSession = await bot.shortlist('erase it', { session: { id: session, seq: null } })
  await asks('erase', inSession.routing, { session })
  const signer = await connect({ as: 'signer', privateKey: key, runtime })
  await signer.shortlist('read my mail')
  const unsigned = await connect({ as: 'signer', runtime })
  await unsigned.shortlist('read my mail')

  const open = await asks('erase', null)
  const erase = runtime.follower.state.catalog.capabilities.get('erase')
  if (erase !== undefined) {
    const entry = { ...erase, suspended: true as const }
    await changeCatalog(runtime, { op: 'put', collection: 'capabilities', entry })
  }
  await quiet(play)
  await answer(play, open)
}
