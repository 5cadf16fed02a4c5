// A connection that is to be encrypted is so or is not at all, and what stands in its way is named.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encryptionOf } from '#log/nats/encryption'
import { NatsLink } from '#log/nats/link'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import {
  natsBinary,
  startNats,
  startNatsCluster,
  type NatsServer,
} from '../../support/servers/nats-server.ts'

const dayMs = 86_400_000

test('addresses with and without TLS are not mixed', async () => {
  const mixed = ['tls://a:1,nats://b:2', 'nats://a:1,tls://b:2', 'tls://a:1,b:2']
  for (const servers of mixed) {
    const opening = encryptionOf({ servers }, 0)
    await expect(opening, servers).rejects.toMatchObject({ code: 'log_unsupported' })
  }
  expect(await encryptionOf({ servers: 'tls://a:1, tls://b:2' }, 0)).toEqual({})
  expect(await encryptionOf({ servers: 'nats://a:1,b:2' }, 0)).toBeNull()
})

describe.skipIf(!hasOpenssl)('a certificate of one’s own', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)
  const own = () => ({
    servers: 'nats://a:1',
    certFile: file('client.pem'),
    keyFile: file('client.key'),
  })
  beforeAll(async () => {
    folder = await certificates()
    await writeFile(file('empty.pem'), '')
  })

  test.each([
    ['that has expired', () => own(), 2 * dayMs, /client\.pem` expired at/],
    ['that is not valid yet', () => own(), -dayMs, /client\.pem` is valid from .* only/],
    ['without its key', () => ({ ...own(), keyFile: undefined }), 0, /go together/],
    ['without itself', () => ({ ...own(), certFile: undefined }), 0, /go together/],
    ['that is not there', () => ({ ...own(), certFile: file('none') }), 0, /cannot be read/],
    [
      'in an empty file',
      () => ({ ...own(), certFile: file('empty.pem') }),
      0,
      /holds no certificate/,
    ],
    ['with another’s key', () => ({ ...own(), keyFile: file('ca.key') }), 0, /private key of/],
    ['without the authority', () => ({ ...own(), caFile: file('none') }), 0, /cannot be read/],
  ])('%s is refused before anything is sent', async (_, access, laterMs, message) => {
    const refused = encryptionOf(access(), Date.now() + laterMs)
    await expect(refused).rejects.toMatchObject({
      code: 'credentials_invalid',
      message: expect.stringMatching(message),
    })
  })

  test('that is valid now is taken', async () => {
    const { certFile, keyFile } = own()
    expect(await encryptionOf(own(), Date.now() + 1_000)).toEqual({ certFile, keyFile })
  })
})

describe.skipIf(natsBinary === null)('on a server without TLS', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.dispose())

  test('`tls://` is refused, and the address is named', async () => {
    const servers = server.url.replace('nats://', 'tls://')
    await expect(NatsLink.open({ servers })).rejects.toMatchObject({
      code: 'tls_missing',
      retry: 'never',
      message: expect.stringContaining(`\`${servers}\` offers no TLS`),
    })
  })
})

describe.skipIf(natsBinary === null || !hasOpenssl)('on servers that ask for certificates', () => {
  let folder = ''
  let servers: readonly NatsServer[] = []
  const file = (name: string) => join(folder, name)
  const addresses = () => servers.map(({ url }) => url.replace('nats://', 'tls://')).join(',')

  beforeAll(async () => {
    folder = await certificates()
    await chmod(file('client.key'), 0o600)
    const tls = `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}",
      ca_file: "${file('ca.pem')}", verify: true }`
    servers = await startNatsCluster({ config: tls })
  })
  afterAll(async () => {
    for (const server of servers) await server.dispose()
  })

  test('a client without one learns that it needs one', async () => {
    const opening = NatsLink.open({ servers: addresses(), caFile: file('ca.pem') })
    await expect(opening).rejects.toMatchObject({
      code: 'credentials_invalid',
      message: expect.stringContaining('asks for a certificate of the client'),
    })
  })

  test('a client whose certificate they do not trust learns which one it is, in time', async () => {
    const foreign = await certificates()
    const [certFile, keyFile] = [join(foreign, 'client.pem'), join(foreign, 'client.key')]
    const access = { servers: addresses(), caFile: file('ca.pem'), certFile, keyFile }
    await expect(NatsLink.open(access)).rejects.toMatchObject({
      code: 'log_unreachable',
      message: expect.stringContaining(certFile),
    })
  })

  test('a client with one is connected, and encrypted', async () => {
    const [certFile, keyFile] = [file('client.pem'), file('client.key')]
    const access = { servers: addresses(), caFile: file('ca.pem'), certFile, keyFile }
    const link = await NatsLink.open(access)
    expect(link.isEncrypted).toBe(true)
    await link.close()
  })
})
