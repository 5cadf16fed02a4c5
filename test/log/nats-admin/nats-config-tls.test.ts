// The generated configuration with certificates: a client with a seed connects over TLS and over
// nothing else, and where certificates are demanded, with one.
import { join } from 'node:path'
import type { TlsOptions } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import {
  boundSoonAs,
  makeStreams,
  operator,
  startPowers,
  subjectOf,
  tried,
} from '../../support/servers/nats-powers.ts'
import { natsBinary } from '../../support/servers/nats-server.ts'

/** Tried once, and given up soon. */
const once = { timeout: 2_000, reconnect: false, maxReconnectAttempts: 0 }

describe.skipIf(natsBinary === null || !hasOpenssl)('over TLS', () => {
  test('a user connects with its seed, and only to a server that the authority signed', async () => {
    const folder = await certificates()
    const file = (name: string) => join(folder, name)
    const tls = { certFile: file('server.pem'), keyFile: file('server.key') }
    const known: TlsOptions = { caFile: file('ca.pem') }
    const powers = await startPowers({ tls, client: { tls: known } })
    try {
      const admin = await powers.as(operator)
      await makeStreams(admin)
      const agent = await powers.as('agent')
      expect(agent.info?.tls_required).toBe(true)
      const name = 'main.1.vlp.agent.s.a'
      expect(await tried(agent, subjectOf(name))).toContain('"seq":1')
      expect(await boundSoonAs(admin, name)).toBe('{}')
      expect(await tried(agent, 'main.1.verdict.agent.s.a')).toContain('Violation')
      const stranger = powers.as('agent', { tls: {}, ...once })
      await expect(stranger).rejects.toThrow(/certificate/i)
    } finally {
      await powers.dispose()
    }
  })

  test('where the configuration names an authority, a client shows a certificate too', async () => {
    const folder = await certificates()
    const file = (name: string) => join(folder, name)
    const caFile = file('ca.pem')
    const tls = { certFile: file('server.pem'), keyFile: file('server.key'), caFile }
    const own = { caFile, certFile: file('client.pem'), keyFile: file('client.key') }
    const powers = await startPowers({ tls, client: { tls: own } })
    try {
      expect((await powers.as('agent')).info?.tls_verify).toBe(true)
      const without = powers.as('agent', { tls: { caFile }, ...once })
      await expect(without).rejects.toThrow()
    } finally {
      await powers.dispose()
    }
  })
})
