// Files with the secrets of a connection: one that others may read or write is not used.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretIn } from '#log/nats/access'
import { encryptionOf } from '#log/nats/encryption'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const open = /others may read or write .*: chmod 600 /

describe.skipIf(process.platform === 'win32')('a file with a secret', () => {
  test('of its owner alone is read; one that others may read or write is refused', async () => {
    const file = join(await temporaryFolder(), 'a.nk')
    await writeFile(file, ' SUX \n')
    for (const mode of [0o600, 0o400]) {
      await chmod(file, mode)
      expect(Buffer.from(await secretIn(file)).toString()).toBe('SUX')
    }
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      await chmod(file, mode)
      await expect(secretIn(file), mode.toString(8)).rejects.toMatchObject({
        code: 'credentials_invalid',
        message: expect.stringMatching(open),
      })
    }
  })

  test.skipIf(!hasOpenssl)('may be the key of a certificate', async () => {
    const folder = await certificates()
    const [certFile, keyFile] = [join(folder, 'client.pem'), join(folder, 'client.key')]
    await chmod(keyFile, 0o644)
    const opening = encryptionOf({ servers: 'nats://a:1', certFile, keyFile }, Date.now())
    await expect(opening).rejects.toMatchObject({ message: expect.stringMatching(open) })
  })
})
