// What is posted to others, and what a recording of others comes to: bodies of webhooks, and the
// score of a demo on data.
import { webhookChannel } from '#outreach/channels/webhooks'
import { message } from '../../outreach/channels/channel-conformance.ts'
import { receiver } from '../../outreach/channels/receiver.ts'
import { partOfAirline } from '../../demo/part-of-airline.ts'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { withoutChance } from '../chance.ts'
import { played, ranText, runAt } from '../played.ts'
import { block, jsonText, plain, type Subject } from '../subject.ts'

async function webhooks(): Promise<ReadonlyMap<string, string>> {
  const { origin, host, received } = await receiver('taken')
  const secret = async () => `${origin}/services/hook`
  const options = { secret, privateHosts: [host] }
  const { signal } = new AbortController()
  for (const channel of ['slack', 'teams'] as const) {
    const target = { channel, secret: 'HOOK' }
    await webhookChannel(channel, options).deliver({ target, message, signal })
  }
  const { cwd, now } = await played('0.2.0-grants')
  const ran = await runAt(now, cwd, ['reviews', '--webhook', `${origin}/reviews`])
  const bodies = received.map(({ body }) => jsonText(JSON.parse(body.toString())))
  const names = ['slack', 'teams', 'reviews']
  const files = new Map(bodies.map((body, nth) => [`${names[nth] ?? nth}.txt`, body]))
  files.set(
    'command.txt',
    block('warrant reviews --webhook <url>', plain(ranText(ran), { origin })),
  )
  return files
}

async function demo(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 3)
  const ran = await run(['demo', '--data', data, '--fleet', '1', '--json'], { cwd })
  const text = block('warrant demo --data <data> --fleet 1 --json', ranText(ran))
  return new Map([['airline.txt', withoutChance(plain(text, { cwd, data }))]])
}

export const posted: readonly Subject[] = [
  { folder: 'ours/webhooks', record: webhooks },
  { folder: 'frozen/demo', record: demo },
]
