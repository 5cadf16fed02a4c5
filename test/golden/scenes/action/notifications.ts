// What a log has of reaching people: reviews whose people are reminded, whose channel fails, and who
// are notified in the next era, too; and what no service would bind.
import { nameOf } from '#record/names'
import { notificationId } from '#outreach/agenda/notification-id'
import { rotate } from '#replay/eras/rotate'
import type { NotificationData } from '#schemas/outreach/notification'
import { keys, type TestSetup } from '../../../support/runtime.ts'
import { answer, bind, later, played, quiet, type Play } from '../../play.ts'

const minute = 60_000

export const notificationsSetup: TestSetup = {
  catalog: {
    capabilities: [
      {
        id: 'file.send',
        safetyClass: 'READ',
        argsSchema: { type: 'object' },
        conditions: [{ name: 'ask', effect: 'confirm', when: 'true', confirmation: 'own' }],
      },
    ],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      {
        id: 'own',
        tier: 'confirm',
        decideWithinMs: 20 * minute,
        reaching: { remindsAfter: [25, 50], escalatesTo: 'desk', escalatesAfter: 80, showsArgs: true },
      },
    ],
  },
}

export async function notifications(play: Play): Promise<void> {
  const first = await played(play, { intent: { tool: 'file.send', args: { n: 1 } } })
  const of = {
    review: nameOf(play.runtime.follower.state.place, 'review', first, 1),
    person: 'olga',
    channel: 'mail' as const,
    step: 'asked' as const,
    number: 1,
    attempt: 1,
  }
  await noted(play, { ...of, state: 'begun', until: '2026-01-01T00:01:00.000Z' })
  await noted(play, { ...of, state: 'failed', code: 'unavailable', mayPass: true })
  await later(play, minute)
  await noted(play, { ...of, attempt: 2, state: 'sent' })
  await noted(play, { ...of, step: 'escalated', person: 'piet', for: 'quin', state: 'sent' })
  // Of no review, and with an address, which is not one of its words.
  await noted(play, { ...of, review: 'main.1.review.nowhere', channel: 'push', state: 'sent' })
  await bind(play, 'notification', nameOf(play.runtime.follower.state.place, 'notification', 'JUNK'), {
    ...of,
    state: 'sent',
    address: 'olga@example.org',
  })
  await answer(play, first)
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  const next = await played(play, { intent: { tool: 'file.send', args: { n: 2 } } })
  const review = nameOf(play.runtime.follower.state.place, 'review', next, 1)
  await noted(play, { ...of, review, state: 'sent' })
  await later(play, 21 * minute)
}

async function noted(play: Play, data: NotificationData): Promise<void> {
  const { place } = play.runtime.follower.state
  const id = notificationId(data, data.state === 'begun' ? 'attempt' : 'result')
  await bind(play, 'notification', nameOf(place, 'notification', id), { ...data })
  await quiet(play)
}
