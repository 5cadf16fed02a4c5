// What the console answers of a played log: each GET route of its table, to an auditor who is also
// its policy admin, and what it refuses to one who is not.
import { madeLink } from '#serving/people/one-time-link'
import { serveConsole } from '#console/serving'
import type { ConsoleRouteName } from '#schemas/console/routes'
import { endWithTest } from '../../support/vitest/endings.ts'
import {
  atBrowser,
  files as pageFiles,
  noOne,
  origin,
  type Answered,
  type Asking,
  type AtBrowser,
} from '../../console/console-scene.ts'
import { keys } from '../../support/runtime.ts'
import { servedLog } from '../served.ts'
import { block, laidOut, plain, type Subject } from '../subject.ts'

type Question = readonly [
  person: 'root' | 'olga' | 'no one',
  name: ConsoleRouteName,
  asking?: Asking,
]

const about = (intent: string): Asking => ({ params: { intent } })

const asked: Readonly<Record<string, readonly Question[]>> = {
  '0.2.0': [
    ['no one', 'session'],
    ['root', 'session'],
    ['root', 'inbox'],
    ['olga', 'inbox'],
    ['root', 'browsers'],
    ['root', 'absence'],
    ['root', 'reach'],
    ['root', 'facts', { query: '?limit=3' }],
    ['root', 'facts', { query: '?outcome=deny&limit=2' }],
    ['root', 'facts', { query: '?unknown=1' }],
    ['root', 'trace', about('bot.-.G0032')],
    ['root', 'trace', about('bot.-.G0018')],
    ['root', 'trace', about('bot.-.UNKNOWN')],
    ['root', 'derive', about('bot.-.G0001')],
    ['root', 'concepts'],
    ['root', 'graphParts'],
    ['root', 'catalog'],
    ['root', 'compare', { query: '?from=1&to=300' }],
    ['root', 'workers'],
    ['root', 'openIntents'],
    ['root', 'attention'],
    ['root', 'faults'],
    ['root', 'findings'],
    ['root', 'proposals'],
    ['olga', 'facts'],
    ['olga', 'proposals'],
    ['no one', 'inbox'],
    ['root', 'issuerSignIn'],
  ],
  '0.2.0-work': [
    ['root', 'standings'],
    ['root', 'standing', { params: { agent: 'bot' } }],
    ['root', 'standing', { params: { agent: 'unknown' } }],
    ['root', 'contracts'],
    ['root', 'contracts', { query: '?state=ended&limit=2' }],
    ['root', 'contract', { params: { contract: 'grader.-.G0005' } }],
    ['root', 'contract', { params: { contract: 'grader.-.UNKNOWN' } }],
  ],
  '0.2.0-grants': [
    ['root', 'grants'],
    ['olga', 'inbox'],
    ['olga', 'card', about('bot.-.G0024')],
    ['olga', 'contents', about('bot.-.G0024')],
    ['root', 'card', about('bot.-.G0024')],
    ['root', 'openIntents'],
  ],
  '0.2.0-people': [
    ['root', 'attention'],
    ['root', 'trace', about('bot.-.G0002')],
  ],
}

async function consoleOn(log: string) {
  const { runtime, time } = await servedLog(log, { root: ['audit'] })
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveConsole({ runtimes: [runtime], listen, files: pageFiles, url: origin })
  endWithTest(() => serving.close(0))
  const signedIn = async (person: 'root' | 'olga'): Promise<AtBrowser> => {
    const of = {
      for: 'sign_in' as const,
      person,
      by: 'root',
      origin,
      log: runtime.follower.state.log,
    }
    const until = { madeAt: time.now, until: time.now + 60_000, privateKey: keys.root }
    const browser = atBrowser({ serving }, noOne)
    const answered = await browser.ask('linkSignIn', {
      body: { secret: madeLink({ ...of, ...until }) },
    })
    const [set = ''] = answered.headers['set-cookie'] ?? []
    return atBrowser({ serving }, { cookie: set.split(';', 1)[0] ?? '', csrf: '' })
  }
  return {
    root: await signedIn('root'),
    olga: await signedIn('olga'),
    'no one': atBrowser({ serving }, noOne),
  }
}

const csrf = /"csrf": ?"[\w-]+"/g

function answeredText({ status, headers, text }: Answered): string {
  const type = headers['content-type'] ?? ''
  const body = laidOut(plain(text)).replaceAll(csrf, '"csrf": "<csrf>"')
  return `${status}\ncontent-type: ${type}\n\n${body}`
}

async function record(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const [log, questions] of Object.entries(asked)) {
    const browsers = await consoleOn(log)
    let text = ''
    for (const [person, name, asking] of questions) {
      const answered = await browsers[person].ask(name, asking)
      const of = Object.values(asking?.params ?? {}).join(' ')
      const title = [person, 'asks', name, of, asking?.query ?? ''].filter((one) => one !== '')
      text += block(title.join(' '), answeredText(answered))
    }
    found.set(`${log}.txt`, text)
  }
  return found
}

export const consoleReading: Subject = { folder: 'ours/console-reading', record }
