// Requests whose values must be known: said by those whom the catalog trusts, found only where
// others can write, repeated, owned, or said by no one; asked about or refused.
import { newestRules } from '#rules/catalog/rules-version'
import type { Json } from '#record/canonical'
import type { KnownArgument } from '#schemas/values'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, played, reason, say, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-543210'
const READ = 'READ' as const
const anyArgs = { type: 'object' }

const capability = (id: string, known: KnownArgument[]) => ({
  id,
  safetyClass: READ,
  argsSchema: anyArgs,
  known,
})

export const valuesSetup = {
  catalog: {
    capabilities: [
      capability('send', [
        { arg: '/to/*', kind: 'email' },
        { arg: '/body', kind: 'url', inText: true },
      ]),
      capability('pay', [{ arg: '/account', kind: 'account', unknown: 'deny' }]),
      capability('book', [
        { arg: '/id', kind: 'id' },
        { arg: '/name', kind: 'name' },
        { arg: '/page', kind: 'url' },
        { arg: '/amount', kind: 'amount' },
        { arg: '/file', kind: 'path' },
        { arg: '/account', kind: 'account' },
      ]),
      {
        id: 'inbox',
        safetyClass: READ,
        argsSchema: anyArgs,
        untrusted: [{ pointer: '/*/body', when: { field: 'from', notOwn: true } }],
      },
    ],
    principals: [
      { id: 'desk' },
      { id: 'tools' },
      { id: 'mine', attributes: { mail: 'mine@x.com' }, owner: 'olga' },
    ],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['send'] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function values(play: Play): Promise<void> {
  const inform = (as: string, content: string, payload?: Json): Promise<string> => {
    const carried = payload === undefined ? {} : { payload }
    return say(play, { as, session, message: { type: 'notice', receiver: 'bot', content, ...carried } })
  }
  const ask = (tool: string, args: Json, as = 'bot'): Promise<string> => {
    return played(play, { as, session, intent: { tool, args, justification: reason } })
  }
  await ask('pay', { account: 'DE89 3704 0044' })
  await inform('desk', 'Write to Ann <ann@x.com>, and pay 98.50 to DE89-3704-0044. See www.x.com/a.')
  await inform('tools', 'inbox answered', {
    tool: 'inbox',
    args: { from: 'bob@x.com' },
    error: false,
    value: [
      { from: 'bob@x.com', body: 'to eve@y.org' },
      { from: 'carl@x.com', body: 'more', note: 'of dora@x.com' },
    ],
    untrusted: ['/1/note'],
  })
  await ask('pay', { account: 'DE8937040044' })
  await ask('send', { to: ['ann@x.com', 'carl@x.com'], body: 'see https://www.x.com/a.' })

  const others = ['ann@x.com', 'eve@y.org', 'dora@x.com', 'bob@x.com', 'no one']
  await answer(play, await ask('send', { to: others, body: 'or www.evil.org' }))
  await answer(play, await ask('send', { to: ['eve@y.org'] }), { yes: false })
  await ask('send', { to: ['mine@x.com'] }, 'mine')
  const booked = { id: 13, name: 'The Quay', page: 'http://y.org', amount: 98.5, file: 'a.txt' }
  await answer(play, await ask('book', { ...booked, account: 'DE89 3704 0044' }))
  await answer(play, await ask('send', { to: ['mine@x.com', 'eve@y.org'] }, 'mine'))
  await ask('send', { to: Array.from({ length: 70 }, (_, index) => `a${index}@x.com`) })
}
