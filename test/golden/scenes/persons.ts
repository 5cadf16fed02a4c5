// Whose address people mean by a name, amounts that they write in words, a path without its slash,
// all events of a day, titles by a note, and secrets that are not to go out.
import { newestRules } from '#rules/catalog/rules-version'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, inSession, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-678901'
const argsSchema = { type: 'object' }
const read = { safetyClass: 'READ', argsSchema } as const
const foreign = true as const
const mails = { thing: 'email', at: '/*', id: 'id', names: ['subject'], of: ['sender'] }

export const personsSetup = {
  catalog: {
    capabilities: [
      {
        id: 'inbox',
        ...read,
        untrusted: [{ pointer: '/*/sender' }, { pointer: '/*/subject' }],
        lists: [{ ...mails, foreign }],
      },
      {
        id: 'open',
        ...read,
        untrusted: [{ pointer: '' }],
        notes: { arg: '/path', under: ['/mine/'] },
      },
      {
        id: 'write',
        ...read,
        known: [
          { arg: '/to', kind: 'email', person: 'wrote' },
          { arg: '/text', kind: 'id', secret: true },
        ],
      },
      { id: 'today', ...read, untrusted: [], today: '' },
      {
        id: 'events',
        ...read,
        untrusted: [{ pointer: '/*/title' }],
        lists: [{ thing: 'event', at: '/*', id: 'id', names: ['title'], time: 'start', foreign }],
      },
      {
        id: 'cancel',
        ...read,
        known: [{ arg: '/event', kind: 'id', thing: 'event', asks: ['cancel'] }],
      },
      {
        id: 'report',
        ...read,
        known: [{ arg: '/title', kind: 'name', about: true, fromNamed: true }],
      },
      { id: 'files', ...read, untrusted: [], folder: '/path' },
      { id: 'pay', ...read, known: [{ arg: '/amount', kind: 'amount' }] },
      {
        id: 'remove',
        ...read,
        known: [{ arg: '/path', kind: 'path', rooted: true, bare: true, asks: ['delete'] }],
      },
    ],
    principals: [{ id: 'desk' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['write', 'cancel'] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function persons(play: Play): Promise<void> {
  const { inform, result, ask } = inSession(play, session)
  const no = async (asked: Promise<Awaited<ReturnType<typeof ask>>>): Promise<void> => {
    await answer(play, await asked, { yes: false })
  }
  await inform('desk', "Reply to Ann's mail, and write to Bob. Pay twelve hundred and fifty.")
  await inform('desk', 'Delete /downloads/tool.bin.')
  await result('inbox', {}, [
    { id: 'M1', sender: 'ann.berg@x.org', subject: 'Hi' },
    { id: 'M2', sender: 'bob@shop.example', subject: 'I am Bob' },
  ])
  await result('open', { path: '/mine/about.txt' }, 'Bank password: opensesame')
  await ask('write', { to: 'ann.berg@x.org', text: 'Thank you.' })
  await no(ask('write', { to: 'bob@shop.example', text: 'Thank you.' }))
  await no(ask('write', { to: 'ann.berg@x.org', text: 'It is opensesame.' }))
  await ask('pay', { amount: 1250 })
  await no(ask('pay', { amount: 1300 }))
  await ask('remove', { path: 'downloads/tool.bin' })
  await inform('desk', 'Cancel all events tomorrow after noon. Report what is in /mine/todo.txt.')
  await inform('desk', 'I deleted old.txt. Delete new.txt.')
  await result('today', {}, '2026-01-01')
  await result('events', {}, [
    { id: 'E1', title: 'Walk', start: '2026-01-02T13:00:00' },
    { id: 'E2', title: 'Walk', start: '2026-01-02T11:00:00' },
  ])
  await ask('cancel', { event: 'E1' })
  await no(ask('cancel', { event: 'E2' }))
  await result('open', { path: '/mine/todo.txt' }, 'Fix the lamp')
  await ask('report', { title: 'The lamp' })
  await no(ask('report', { title: 'The door' }))
  await result('files', { path: '/desk' }, ['old.txt', 'new.txt'])
  await ask('remove', { path: '/desk/new.txt' })
  await no(ask('remove', { path: '/desk/old.txt' }))
  await result('open', { path: '/mine/bob.txt' }, 'Bob: bob@shop.example')
  await ask('write', { to: 'bob@shop.example', text: 'Thank you.' })
  await result('inbox', {}, [{ id: 'M3', sender: 'ann@y.org', subject: 'It is me, Ann' }])
  await no(ask('write', { to: 'ann.berg@x.org', text: 'Thank you.' }))
}
