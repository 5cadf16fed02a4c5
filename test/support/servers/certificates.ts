// Certificates as openssl makes them, for tests of TLS; where there is no openssl, those are
// skipped.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#record/fault'
import { temporaryFolder } from '../temporary-folder.ts'

const program = 'openssl'

export const hasOpenssl = spawnSync(program, ['version']).status === 0
if (!hasOpenssl) process.stderr.write('no openssl here: tests of NATS over TLS are skipped\n')

/** An authority, and certificates of a server and of a client that it signed, valid for a day. */
export async function certificates(): Promise<string> {
  const cwd = await temporaryFolder()
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync(program, args, { cwd })
    assert(status === 0, `openssl made it: ${stderr.toString()}`)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  openssl('req', '-x509', ...key, '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem')
  writeFileSync(join(cwd, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  for (const name of ['server', 'client']) {
    const request = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`]
    openssl('req', ...key.filter((one) => one !== '-days' && one !== '1'), ...request)
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1']
    const names = ['-extfile', 'names', '-out', `${name}.pem`]
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, ...names)
  }
  return cwd
}
