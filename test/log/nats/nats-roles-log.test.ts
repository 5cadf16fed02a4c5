// The runtime's own log behind the wall: every reader opens it with nothing but its seed, and needs
// no right that the table does not give.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createUser } from '@nats-io/nkeys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { nameOf } from '#record/names'
import { kinds, type Kind } from '#schemas/kinds'
import type { Role } from '#record/roles'
import type { Log } from '#ports/log'
import { natsBinary } from '../../support/servers/nats-server.ts'
import {
  fresh,
  makeStreams,
  operator,
  place,
  readers,
  startPowers,
  type Powers,
} from '../../support/servers/nats-powers.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A kind that the role binds under any tokens. */
const kindOf: Partial<Record<Role, Kind>> = {
  grounding: 'grounding',
  policy: 'verdict',
  confirmation: 'rate',
  learning: 'proposal',
  gateway: 'start',
  'policy-admin': 'catalog',
}

describe.skipIf(natsBinary === null)('the log, opened with a seed', () => {
  let powers: Powers
  beforeAll(async () => {
    powers = await startPowers()
    await makeStreams(await powers.as(operator))
  })
  afterAll(() => powers.dispose())

  async function opened(role: Role): Promise<Log> {
    const nkeyFile = join(await temporaryFolder(), `${role}.nk`)
    await writeFile(nkeyFile, `${powers.keyOf(role).seed}\n`, { mode: 0o600 })
    const link = await NatsLink.open({ servers: powers.server.url, nkeyFile })
    return jetStreamLog(link, { realm: place.realm })
  }

  test('refuses who has none, and a seed of no user, each with what to do', async () => {
    const servers = powers.server.url
    const nkeyFile = join(await temporaryFolder(), 'stranger.nk')
    await writeFile(nkeyFile, createUser().getSeed(), { mode: 0o600 })
    await expect(NatsLink.open({ servers })).rejects.toThrow('`WARRANT_NATS_NKEY_FILE`')
    await expect(NatsLink.open({ servers, nkeyFile })).rejects.toThrow('refuses the credentials')
  })

  test.each(readers)('is read and followed by %s', async (role) => {
    const log = await opened(role)
    try {
      const kind = kindOf[role]
      const before = await log.head()
      let count = 0
      for await (const { position } of log.read({})) expect(position).toBe((count += 1))
      expect(count).toBe(before.position)
      if (kind === undefined) return
      const name = nameOf(place, kind, ...kinds[kind].tokens.map(fresh))
      const entry = { name, bytes: Buffer.from(`by ${role}`) }
      expect(await log.append(entry)).toMatchObject({ appended: true })
      expect(await log.append(entry)).toMatchObject({ appended: false, fact: { name } })
      expect(await log.get(name)).toMatchObject({ name, position: before.position + 1 })
      const found: string[] = []
      for await (const fact of log.read({}, [name])) found.push(fact.name)
      expect(found).toEqual([name])
      const stop = new AbortController()
      for await (const fact of log.follow(before.position + 1, stop.signal)) {
        expect(fact.name).toBe(name)
        break
      }
      stop.abort()
    } finally {
      await log.close()
    }
  })

  test('refuses its reader another’s name with a fault, and goes on', async () => {
    const log = await opened('grounding')
    try {
      const entry = { name: nameOf(place, 'verdict', 'a', 'b', fresh()), bytes: Buffer.from('x') }
      await expect(log.append(entry)).rejects.toMatchObject({ name: 'Fault' })
      expect(await log.get(entry.name)).toBeUndefined()
      const own = { name: nameOf(place, 'grounding', 'a', 'b', fresh(), 1), bytes: entry.bytes }
      expect(await log.append(own)).toMatchObject({ appended: true })
    } finally {
      await log.close()
    }
  })
})
