// When something is to be, what a note or a sent mail of the owner's own says where people point to
// it, and a key that is called by its comment.
import { newestRules } from '#rules/catalog/rules-version'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, inSession, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-789012'
const argsSchema = { type: 'object' }
const read = { safetyClass: 'READ', argsSchema } as const
const foreign = true as const

export const timesSetup = {
  catalog: {
    capabilities: [
      { id: 'today', ...read, untrusted: [], today: '' },
      {
        id: 'events',
        ...read,
        untrusted: [{ pointer: '/*/title' }],
        lists: [
          {
            thing: 'event',
            at: '/*',
            id: 'id',
            names: ['title'],
            time: 'start',
            ends: 'end',
            foreign,
          },
        ],
      },
      {
        id: 'move',
        ...read,
        known: [
          { arg: '/event', kind: 'id', thing: 'event', asks: ['move'] },
          { arg: '/start', kind: 'time' },
          { arg: '/end', kind: 'time', part: 'to' },
        ],
      },
      {
        id: 'open',
        ...read,
        untrusted: [{ pointer: '' }],
        notes: { arg: '/path', under: ['/mine/'] },
      },
      {
        id: 'pay',
        ...read,
        known: [
          { arg: '/account', kind: 'account', fromNamed: true, part: 'to', asks: ['pay'] },
          { arg: '/amount', kind: 'amount', fromNamed: true, part: 'what' },
        ],
      },
      { id: 'keys', ...read, untrusted: [] },
      {
        id: 'revoke',
        ...read,
        known: [{ arg: '/key', kind: 'id', bare: true, asks: ['delete'] }],
      },
    ],
    principals: [{ id: 'desk' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['move', 'revoke'] },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function times(play: Play): Promise<void> {
  const { inform, result, ask } = inSession(play, session)
  const no = async (asked: Promise<Awaited<ReturnType<typeof ask>>>): Promise<void> => {
    await answer(play, await asked, { yes: false })
  }
  await inform('desk', 'Move the dentist appointment to one hour later.')
  await result('today', {}, '2026-01-01')
  await result('events', {}, [
    { id: 'E1', title: 'Dentist', start: '2026-01-02 10:00', end: '2026-01-02 10:30' },
    { id: 'E2', title: 'Walk', start: '2026-01-02 11:00', end: '2026-01-02 12:00' },
  ])
  await ask('move', { event: 'E1', start: '2026-01-02 11:00', end: '2026-01-02 11:30' })
  await no(ask('move', { event: 'E1', start: '2026-01-02 07:00', end: '2026-01-02 07:30' }))
  await no(ask('move', { event: 'E1', start: '2026-01-02 11:00', end: '2026-01-02 15:00' }))
  await inform('desk', 'Move the walk to Friday evening.')
  await ask('move', { event: 'E2', start: '2026-01-02 19:00', end: '2026-01-02 20:00' })
  await no(ask('move', { event: 'E2', start: '2026-01-02 09:00', end: '2026-01-02 10:00' }))
  await inform('desk', 'Pay the bill in /mine/water.txt.')
  await result('open', { path: '/mine/water.txt' }, 'Due: 48.60\nAccount: DE7720044100\n')
  await ask('pay', { account: 'DE7720044100', amount: 48.6 })
  await no(ask('pay', { account: 'EH9025920092', amount: 48.6 }))
  await no(ask('pay', { account: 'DE7720044100', amount: 84.6 }))
  const [old, work] = [
    'ssh-rsa AAAAB3NzaC1yc2E ann@thinkpad-old',
    'ssh-ed25519 AAAAC3NzaC1lZ desk-work',
  ]
  await inform('desk', 'Delete the key of the ThinkPad.')
  await result('keys', {}, `Your keys:\n1. ${old}\n2. ${work}\n`)
  await ask('revoke', { key: old })
  await no(ask('revoke', { key: work }))
}
