// Values that people name only to bar them, whose things are all meant, and a file and a repository
// that are named without what stands before them.
import { newestRules } from '#rules/catalog/rules-version'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, inSession, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-567890'
const argsSchema = { type: 'object' }
const read = { safetyClass: 'READ', argsSchema } as const
const mails = { thing: 'email', at: '/*', id: 'id', names: ['subject'], of: ['sender'] }

export const barredSetup = {
  catalog: {
    capabilities: [
      { id: 'inbox', ...read, untrusted: [{ pointer: '/*/subject' }], lists: [mails] },
      { id: 'write', ...read, known: [{ arg: '/to', kind: 'email' }] },
      {
        id: 'discard',
        ...read,
        known: [{ arg: '/mail', kind: 'id', thing: 'email', asks: ['delete'] }],
      },
      {
        id: 'remove',
        ...read,
        known: [
          { arg: '/path', kind: 'path', bare: true, asks: ['delete'] },
          { arg: '/repository', kind: 'name', bare: true, asks: ['delete'] },
        ],
      },
    ],
    principals: [{ id: 'desk' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['discard', 'write'] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function barred(play: Play): Promise<void> {
  const { inform, result, ask } = inSession(play, session)
  await inform('desk', 'Write to ann@x.org, and do not send anything to bob@x.org.')
  await inform('desk', 'Delete every mail from deals@shop.example. Delete tool.bin in /downloads.')
  await inform('desk', 'Clone notes of eve and delete maps of sparrow.')
  await result('inbox', {}, [
    { id: 'M1', sender: 'deals@shop.example', subject: 'Sale' },
    { id: 'M2', sender: 'bob@x.org', subject: 'Sale' },
  ])
  await ask('write', { to: 'ann@x.org' })
  await answer(play, await ask('write', { to: 'bob@x.org' }), { yes: false })
  await ask('discard', { mail: 'M1' })
  await answer(play, await ask('discard', { mail: 'M2' }), { yes: false })
  await ask('remove', { path: '/downloads/tool.bin' })
  await ask('remove', { repository: 'sparrow/maps' })
  await answer(play, await ask('remove', { repository: 'eve/notes' }), { yes: false })
}
