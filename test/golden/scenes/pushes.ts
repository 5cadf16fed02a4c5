// Requests to publish what people named, or what calls of the session wrote, copied or saved; and
// what lies beside it, what was said of no publishing, and what is to be left as it is.
import { newestRules } from '#rules/catalog/rules-version'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, inSession, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-456789'
const later = 'S-2026-01-02-bot-567890'
const READ = 'READ' as const
const argsSchema = { type: 'object' }

export const pushesSetup = {
  catalog: {
    capabilities: [
      { id: 'clone', safetyClass: READ, argsSchema, untrusted: [] },
      { id: 'create', safetyClass: READ, argsSchema, untrusted: [] },
      { id: 'copy', safetyClass: READ, argsSchema, untrusted: [] },
      { id: 'download', safetyClass: READ, argsSchema, untrusted: [] },
      {
        id: 'push',
        safetyClass: READ,
        argsSchema,
        known: [
          {
            arg: '/path',
            kind: 'path',
            madeBy: [
              { tool: 'clone', arg: '/into', name: '/repository' },
              { tool: 'create', arg: '/path' },
              { tool: 'copy', arg: '/to', name: '/from' },
              { tool: 'download', arg: '/into', shown: true },
            ],
            says: ['push', 'upload'],
          },
        ],
      },
      {
        id: 'password',
        safetyClass: READ,
        argsSchema,
        known: [{ arg: '/new', kind: 'id', asks: ['change'] }],
      },
    ],
    principals: [{ id: 'desk' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['push'] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function pushes(play: Play): Promise<void> {
  const { inform, result, ask } = inSession(play, session)

  await inform(
    'desk',
    'Clone ann/site into /desk. Write the agenda, and copy /notes/plan.md into /desk/site. ' +
      'Save the picture of the mail in /desk/site. Then push all of it, but hands off ' +
      '/desk/keys.txt. Change the password from "Tulip-19" to "Heron-24".',
  )
  await result('clone', { into: '/desk', repository: 'ann/site' }, 'cloned')
  await result('create', { path: '/desk/agenda.md', text: 'news' }, 'written')
  await result('copy', { from: '/notes/plan.md', to: '/desk/site' }, 'copied')
  await result('download', { into: '/desk/site', id: '7' }, { saved: 'boat.png' })
  for (const path of ['/desk/site', '/desk/agenda.md', '/desk/site/plan.md']) {
    await ask('push', { path })
  }
  for (const path of ['/desk/site/boat.png', '/desk/keys.txt', '/desk/other.txt']) {
    await ask('push', { path })
  }
  await ask('password', { new: 'Heron-24' })
  await answer(play, await ask('password', { new: 'Tulip-19' }), { yes: false })

  const other = inSession(play, later)
  await other.inform('desk', 'Read /desk/agenda.md, and stay away from /desk/plan.md.')
  await answer(play, await other.ask('push', { path: '/desk/agenda.md' }), { yes: false })
}
