// What one asks about another: who may, whose rights it is judged by, what is counted and what is
// only read, where people would be asked, and that it holds in the next era.
import { newestRules } from '#rules/catalog/rules-version'
import { jsonOf } from '#record/canonical'
import { rotate } from '#replay/eras/rotate'
import type { IntentFields } from '#client/connect'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { played, quiet, reason, say, type Play } from '../../play.ts'

const open = { type: 'object' }
const large = { name: 'large', effect: 'confirm' as const, when: 'has(args.n) && args.n > 10' }
const people = [{ type: 'user', who: { attributes: { tenant: 'eu' } } }]
const twice = { uses: 2, windowMs: 60_000 }

export const evaluationsSetup = {
  catalog: {
    capabilities: [
      { id: 'file.read', safetyClass: 'READ' as const, argsSchema: open },
      { id: 'file.write', safetyClass: 'WRITE' as const, argsSchema: open },
      { id: 'file.send', safetyClass: 'READ' as const, argsSchema: open, conditions: [large] },
      {
        id: 'file.owner',
        safetyClass: 'READ' as const,
        sensitivity: 'PII' as const,
        allowedFields: ['name'],
        argsSchema: open,
      },
    ],
    principals: [
      { id: 'reader', evaluates: { subjects: people } },
      { id: 'keeper', evaluates: { subjects: people, enforces: true } },
      { id: 'ann', roles: ['writer'], attributes: { tenant: 'eu' }, owner: 'piet' },
      { id: 'ben@x.org', attributes: { tenant: 'eu' }, owner: 'piet' },
      { id: 'cal', roles: ['admin'], attributes: { tenant: 'us' } },
      { id: 'front' },
    ],
    trustedEvidence: [{ sender: 'front', for: ['*'] }],
    limits: [
      { capability: 'file.read', ...twice },
      { capability: 'file.write', uses: 'unlimited' as const, windowMs: 1 },
    ],
    budgets: [
      { name: 'rows', capabilities: ['file.write'], of: 'args.rows', per: 'agent', max: '10', windowMs: 60_000 },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

interface Asked extends Partial<IntentFields> {
  readonly as?: string
  readonly about?: string
  readonly type?: string | null
}

function asks(play: Play, asked: Asked = {}): Promise<string> {
  const { as = 'reader', about = 'ann', type = 'user', tool = 'file.read', ...more } = asked
  const subject = type === null ? { id: about } : { type, id: about }
  return played(play, { as, intent: jsonOf({ tool, justification: reason, ...more, subject }) })
}

export async function evaluationsScene(play: Play): Promise<void> {
  // By the rights of the subject, and not of who asks.
  await asks(play, { tool: 'file.write', args: { rows: 4 } })
  await asks(play, { tool: 'file.write', args: { rows: 4 }, about: 'ben@x.org' })
  await asks(play, { tool: 'file.owner' })
  await asks(play, { tool: 'file.owner', about: 'reader', type: null })
  await refused(play)
  await counted(play)
  await asked(play)
  await stopped(play)
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks(play, { as: 'keeper', about: 'ben@x.org' })
  await asks(play, { about: 'ben@x.org', tool: 'file.send' })
}

async function refused(play: Play): Promise<void> {
  await asks(play, { about: 'cal' })
  await asks(play, { about: 'stranger' })
  await asks(play, { type: 'robot' })
  await asks(play, { as: 'bot' })
  await asks(play, { as: 'nemo' })
  await asks(play, { delegation: 'main.1.vlp.ann.S-1.D1' })
}

async function counted(play: Play): Promise<void> {
  // It reads as often as it likes; what it enforces is the subject's own use.
  for (const about of ['ann', 'ann', 'ann', 'ben@x.org']) await asks(play, { about })
  for (const about of ['ben@x.org', 'ben@x.org', 'ben@x.org']) {
    await asks(play, { as: 'keeper', about })
  }
  await asks(play, { about: 'ben@x.org' })
  await asks(play, { as: 'keeper', tool: 'file.write', args: { rows: 8 } })
  await asks(play, { tool: 'file.write', args: { rows: 8 } })
}

async function asked(play: Play): Promise<void> {
  await asks(play, { tool: 'file.send', args: { n: 11 } })
  await asks(play, { tool: 'file.send', args: { n: 11 }, about: 'reader', type: null })
  await asks(play, { tool: 'file.write', args: { rows: 1 }, justification: 'short' })
}

async function stopped(play: Play): Promise<void> {
  await changeCatalog(play.runtime, { op: 'suspend', id: 'ann' })
  await asks(play)
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'ann' })
  await changeCatalog(play.runtime, { op: 'suspend', id: 'reader' })
  await asks(play)
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'reader' })
  const safety = { level: 'block', issues: [] }
  await say(play, { as: 'front', session: 'S-1', message: { receiver: 'ann', safety } })
  await asks(play)
}
