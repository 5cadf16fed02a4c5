// What one speaker can have an intake take that the log does not: the server tries such a message
// again for ever, and whatever comes of its lane waits behind it; without lanes, of its intake.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { inspectIntakes } from '#log/nats-admin/inspect-intakes'
import { entryBytesMax } from '#ports/log'
import { natsBinary, until } from '../../../support/servers/nats-server.ts'
import {
  api,
  boundAs,
  boundSoonAs,
  factCount,
  fresh,
  intake,
  log,
  makeStreams,
  operator,
  place,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const own = (id = fresh()) => `main.1.vlp.agent.s.${id}`
const x = (count: number) => 'x'.repeat(count)
/** The bytes of a header of its own, without those of its value. */
const aroundValue = 'NATS/1.0\r\nA: \r\n\r\n'.length

type Header = Readonly<Record<string, string>>
const none: Header = {}

/**
 * The server finds no header after its name was written twice without a gap, and of what an intake
 * took it removes those that expect something: so the intake does not see it, and the log does.
 */
function hidden(key: string, value: string): Header {
  return { 'Nats-Expected-Nothing': `${key}${key}`, [key]: value }
}

const forms = [
  ['an intake that is taken in its turn', true],
  ['an intake that is taken as it arrives', false],
] as const

describe.skipIf(natsBinary === null).each(forms)('%s', (_form, inTurns) => {
  let powers: Powers
  let admin: NatsConnection
  let agent: NatsConnection
  let other: NatsConnection

  beforeAll(async () => {
    powers = await startPowers()
    admin = await powers.as(operator)
    await makeStreams(admin, 1, true, inTurns)
    agent = await powers.as('agent')
    other = await powers.as('other')
  })
  afterAll(() => powers.dispose())

  /** Another agent of the same intake says something polite; its name. */
  async function politeSaid(): Promise<string> {
    const name = `main.1.vlp.other.s.${fresh()}`
    expect(await tried(other, subjectOf(name), 'polite')).toContain(`"stream":"${intake}"`)
    return name
  }

  /** Someone says something polite that waits for what the agent said before; its name. */
  async function behindSaid(): Promise<string> {
    if (!inTurns) return politeSaid()
    const name = own()
    expect(await tried(agent, subjectOf(name), 'polite')).toContain(`"stream":"${intake}"`)
    return name
  }

  async function goesOn(): Promise<void> {
    expect(await boundSoonAs(admin, await politeSaid())).toBe('polite')
    await factCount(admin)
  }

  test.each<readonly [what: string, name: string, body: string, header: Header]>([
    ['an empty message', own(), '', none],
    ['a header alone', own(), '', { A: 'b' }],
    ['the largest body', own(), x(entryBytesMax), none],
    ['the largest body with a header', own(), x(entryBytesMax - aroundValue - 1), { A: 'b' }],
    ['the largest body under a name of 3000 characters', own(x(3_000)), x(entryBytesMax), none],
    ['the largest body under the longest name', own(x(3_900)), x(entryBytesMax), none],
    ['a header of almost the most', own(), 'x', { A: x(65_000) }],
    ['letters of elsewhere', own('é'), 'x', none],
    ['a wildcard', own('*'), 'x', none],
    ['a part of a transform', own('{{wildcard(9)}}'), 'x', none],
    ['a level of the API that is not', own(), 'x', { 'Nats-Required-Api-Level': '99' }],
    ['an expected subject', own(), 'x', { 'Nats-Expected-Last-Subject-Sequence': '0' }],
    ['a hidden rollup of all', own(), 'x', hidden('Nats-Rollup', 'all')],
    ['a hidden time to live', own(), 'x', hidden('Nats-TTL', '1s')],
    ['a hidden counter', own(), 'x', hidden('Nats-Incr', '+1')],
    ['a hidden schedule', own(), 'x', hidden('Nats-Schedule', '@every 1s')],
  ])('goes on after %s', async (_, name, body, header) => {
    const before = await factCount(admin)
    expect(await tried(agent, subjectOf(name), body, header)).toContain('"seq"')
    await goesOn()
    // What is no literal subject has no lane, so no log takes it. What has one of its own may come
    // after what another said later.
    const isLeftOut = inTurns && name.endsWith('.*')
    const expected = before + (isLeftOut ? 1 : 2)
    await until(async () => (await factCount(admin)) >= expected)
    expect(await factCount(admin)).toBe(expected)
  })

  test.each([
    ['a heartbeat', 'Idle Heartbeat', { 'Nats-Last-Consumer': '7', 'Nats-Last-Stream': '7' }],
    ['a consumer that is held up', 'Idle Heartbeat', { 'Nats-Consumer-Stalled': 'main.1.graph.1' }],
    ['flow control', 'FlowControl Request', {}],
  ])('goes on after what looks like %s', async (_, description, header) => {
    const all = headers(100, description)
    for (const [key, value] of Object.entries(header)) all.set(key, value)
    const name = own()
    await agent.request(subjectOf(name), '', { headers: all, timeout: 5_000 })
    await goesOn()
    expect(await boundSoonAs(admin, name)).toBe('')
    expect(await boundAs(admin, 'main.1.graph.1')).toBeNull()
  })

  test('goes on after the other wildcard, which the log does not take', async () => {
    const before = await factCount(admin)
    expect(await tried(agent, subjectOf(own('>')), 'x')).toContain('"seq"')
    await goesOn()
    expect(await factCount(admin)).toBe(before + 1)
  })

  test('goes on after a name, and after a message id, that came twice', async () => {
    const name = own()
    await tried(agent, subjectOf(name), 'first')
    expect(await tried(agent, subjectOf(name), 'second')).toContain('"err_code":10077')
    const header = { 'Nats-Msg-Id': fresh() }
    const [one, two] = [own(), own()]
    await tried(agent, subjectOf(one), 'x', header)
    await boundSoonAs(admin, one)
    // The intake forgets an id in a tenth of a second, and so does the log.
    await until(
      async () => !(await tried(agent, subjectOf(two), 'x', header)).includes('duplicate'),
    )
    await goesOn()
    expect(await boundSoonAs(admin, name)).toBe('first')
  })

  // nats-server 2.15 has nothing by which a stream refuses these. Who said it is in the subject.
  test.each<readonly [what: string, header: Header]>([
    ['a header that leaves no room for its source', { A: x(65_535 - aroundValue) }],
    ['a hidden time to live that is invalid', hidden('Nats-TTL', 'x')],
    ['a hidden counter that is invalid', hidden('Nats-Incr', 'x')],
    ['a hidden rollup that is invalid', hidden('Nats-Rollup', 'x')],
  ])('stops at %s, until an operator removes it: seen, and not refused', async (_, header) => {
    const name = own()
    const said: unknown = JSON.parse(await tried(agent, subjectOf(name), 'x', header))
    expect(said).toMatchObject({ stream: intake })
    const polite = await behindSaid()
    const position = Number(/"seq":(\d+)/.exec(JSON.stringify(said))?.[1])
    await sleep(500)
    expect(await boundAs(admin, polite)).toBeNull()
    if (inTurns) await goesOn()
    const removed = await api(admin, `$JS.API.STREAM.MSG.DELETE.${intake}`, { seq: position })
    expect(removed).toMatchObject({ success: true })
    expect(await boundSoonAs(admin, polite)).toBe('polite')
    expect(await boundAs(admin, name)).toBeNull()
    await goesOn()
  })

  test('is seen to stand still, and not for what the log leaves out', async () => {
    await boundSoonAs(admin, await behindSaid())
    const taken = Number((await intakeState())['last_seq'])
    const said = await tried(agent, subjectOf(own()), 'x', hidden('Nats-TTL', 'x'))
    expect(said).toContain('"seq"')
    expect(await standingFor(operator)).toMatchObject({ taken, waiting: 1, isSure: true })
    const polite = await behindSaid()
    // An auditor may not ask which message it is.
    expect(await standingFor('auditor')).toMatchObject({ taken, waiting: 2, isSure: false })
    const removed = await api(admin, `$JS.API.STREAM.MSG.DELETE.${intake}`, { seq: taken + 1 })
    expect(removed).toMatchObject({ success: true })
    await boundSoonAs(admin, polite)
    await tried(agent, subjectOf(own('>')), 'x')
    expect(await standingFor(operator)).toBeNull()
    await goesOn()
  })

  /** What is seen of that intake with the credential of that user. */
  async function standingFor(user: string): Promise<unknown> {
    const nkeyFile = join(await temporaryFolder(), `${user}.nk`)
    await writeFile(nkeyFile, `${powers.keyOf(user).seed}\n`, { mode: 0o600 })
    const api = user === operator ? '$JS.API' : 'LOG.API'
    const servers = powers.server.url
    const requests = new Requests(await NatsLink.open({ servers, nkeyFile, api }))
    const [seen] = await inspectIntakes(requests, place)
    requests.close()
    await requests.link.close()
    expect(seen?.name).toBe(intake)
    return seen?.standing
  }

  async function intakeState(): Promise<Readonly<Record<string, unknown>>> {
    const { state } = await api(admin, `$JS.API.STREAM.INFO.${intake}`)
    return typeof state === 'object' && state !== null ? { ...state } : {}
  }

  test('is passed over for what a hidden source says, after a restart: seen, and not refused', async () => {
    const name = own()
    await tried(agent, subjectOf(name))
    await boundSoonAs(admin, name)
    const [key, source = ''] = (await headerOf(name)).split(': ')
    const parts = source.split(' ')
    const taken = Number(parts[1])
    const lost = 2
    // The forged message itself is the next, and what follows is taken to be in the log already.
    const forged = parts.with(1, `${taken + 1 + lost}`).join(' ')
    const forging = own()
    await tried(agent, subjectOf(forging), 'x', hidden(key ?? '', forged))
    await boundSoonAs(admin, forging)
    await powers.server.kill()
    await powers.server.start()
    admin = await powers.as(operator)
    agent = await powers.as('agent')
    other = await powers.as('other')
    const polite = [await behindSaid(), await behindSaid(), await behindSaid()]
    expect(await boundSoonAs(admin, polite[lost] ?? '')).toBe('polite')
    for (const one of polite.slice(0, lost)) expect(await boundAs(admin, one)).toBeNull()
  })

  /** The line of the log's header that says where it came from. */
  async function headerOf(name: string): Promise<string> {
    const { message } = await api(admin, `$JS.API.STREAM.MSG.GET.${log}`, { last_by_subj: name })
    const hdrs = typeof message === 'object' && message !== null && 'hdrs' in message
    const text = hdrs ? Buffer.from(String(message.hdrs), 'base64').toString() : ''
    return text.split('\r\n').find((line) => line.startsWith('Nats-Stream-Source')) ?? ''
  }
})
