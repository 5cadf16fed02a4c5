import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { runChild } from '../../support/cli-process.ts'
import { keysOf, run } from '../../support/cli-runner.ts'
import { put } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
let intent = ''
let token = ''

async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await run([...args, '--json'], { cwd })
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return JSON.parse(stdout)
}

async function asked(): Promise<string> {
  const args = ['send_email', '--arg', 'to=ann@example.org', '--distinct', '--agent', 'my-agent']
  return (await json('ask', ...args, '--justification', 'Ann asked for it')).intent
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await json('keys', 'issuer', 'gate', '--no-passphrase')
  intent = await asked()
  token = (await json('token', 'mint', intent.slice(-8))).token
  await writeFile(join(cwd, 'keys.json'), JSON.stringify(await json('keys', 'jwks')))
})

test('a token is minted alike each time, and jose verifies it with the printed keys', async () => {
  expect((await run(['token', 'mint', intent], { cwd })).stdout).toBe(`${token}\n`)
  const jwks = await json('keys', 'jwks')
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), {
    algorithms: ['EdDSA'],
    typ: 'warrant+jwt',
    audience: 'warrant:main',
    issuer: 'gate',
  })
  expect(payload).toMatchObject({
    sub: 'my-agent',
    jti: `main.1.verdict.${intent}`,
    warrant: { capability: 'send_email', realm: 'main' },
  })
})

test('it is verified without a log, one or line by line, and a refusal says why', async () => {
  const far = await temporaryFolder()
  const by = ['token', 'verify', '--jwks', join(cwd, 'keys.json')]
  const one = await run([...by, token, '--json'], { cwd: far })
  expect([one.code, JSON.parse(one.stdout)]).toMatchObject([
    0,
    { outcome: 'sound', holder: 'not_checked', claims: { sub: 'my-agent' } },
  ])
  const other = await run([...by, token, '--audience', 'warrant:other'], { cwd: far })
  expect([other.code, other.stdout]).toEqual([3, expect.stringContaining('token_audience')])
  const held = await run([...by, token, '--principal', 'my-agent', '--json'], { cwd: far })
  expect(JSON.parse(held.stdout)).toMatchObject({ outcome: 'sound', holder: 'shown' })
  const lines = [
    { token },
    { token, principal: 'other' },
    { token, now: '2020-01-01T00:00:00Z' },
    { token: 'none' },
    { nothing: 1 },
  ]
  const input = lines.map((line) => JSON.stringify(line)).join('\n')
  const many = await runChild(by, { cwd: far, input })
  const answers = many.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(many.code).toBe(6)
  expect(answers).toMatchObject([
    { outcome: 'sound' },
    { outcome: 'refused', code: 'holder_other' },
    { outcome: 'refused', code: 'token_not_yet' },
    { outcome: 'refused', code: 'token_malformed' },
    { error: { line: 5 } },
  ])
})

test('a holder with a key narrows and presents it, and so does the delegate', async () => {
  const { publicKey } = await json('keys', 'new', 'holder')
  const delegate = await json('keys', 'new', 'delegate')
  const entry = { id: 'keyed', owner: 'you', roles: ['writer'], keys: [publicKey] }
  expect((await put('principals', [entry], { cwd })).code).toBe(0)
  const args = ['send_email', '--arg', 'to=ann@example.org', '--agent', 'keyed']
  const signed = ['--key', 'holder', '--justification', 'Ann asked for it']
  const address = (await json('ask', ...args, ...signed)).intent
  const whole = (await json('token', 'mint', address)).token
  const narrowing = ['--to', delegate.publicKey, '--max-rows', '5', '--seconds', '60']
  const passed = (await json('token', 'narrow', whole, '--key', 'holder', ...narrowing)).token
  const { dpop } = await json('token', 'present', passed, '--key', 'delegate')
  const found = await json('token', 'verify', passed, '--dpop', dpop)
  expect(found).toMatchObject({ outcome: 'sound', holder: 'shown', constraints: { max_rows: 5 } })
  const stolen = (await json('token', 'present', passed, '--key', 'holder')).dpop
  const refused = await run(['token', 'verify', passed, '--dpop', stolen], { cwd })
  expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('dpop_key')])
  const at = ['--method', 'POST', '--url', 'https://gate.example/call']
  const http = (await json('token', 'present', passed, '--key', 'delegate', ...at)).dpop
  expect(await json('token', 'verify', passed, '--dpop', http, ...at)).toMatchObject({
    holder: 'shown',
  })
  const elsewhere = await run(['token', 'verify', passed, '--dpop', http], { cwd })
  expect(elsewhere.stdout).toContain('dpop_target')
})

test('an issuer takes a new key beside the old one, which is then retired', async () => {
  const again = await run(['keys', 'issuer', 'gate', '--no-passphrase', '--json'], { cwd })
  expect(again.stdout).toContain('issuer_exists')
  const person = await run(['keys', 'issuer', 'you', '--no-passphrase', '--json'], { cwd })
  expect(person.stdout).toContain('issuer_exists')
  const [before] = (await json('keys', 'jwks')).keys
  const { kid } = await json('keys', 'issuer', 'gate', '--rotate', '--no-passphrase')
  const address = await asked()
  const next = (await json('token', 'mint', address)).token
  expect(JSON.parse(Buffer.from(next.split('.')[0], 'base64url').toString())).toMatchObject({ kid })
  for (const each of [token, next]) {
    expect(await json('token', 'verify', each)).toMatchObject({ outcome: 'sound' })
  }
  await json('keys', 'retire', 'gate', before.kid)
  const old = await run(['token', 'verify', token], { cwd })
  expect(old.stdout).toContain('token_key_unknown')
  expect(await json('token', 'verify', next)).toMatchObject({ outcome: 'sound' })
})

test('no token is minted of what was revoked or denied, or with a key of no issuer', async () => {
  const address = await asked()
  const stranger = ['--as', 'you', '--key', join(keysOf(cwd), 'you.pem')]
  const other = await run(['token', 'mint', address, ...stranger, '--json'], { cwd })
  expect(other.stdout).toContain('issuer_unknown')
  await json('revoke', '--warrant', address)
  expect((await run(['token', 'mint', address, '--json'], { cwd })).stdout).toContain(
    'warrant_revoked',
  )
  const denied = JSON.parse(
    (await run(['ask', 'nothing_such', '--agent', 'my-agent', '--json'], { cwd })).stdout,
  ).intent
  expect((await run(['token', 'mint', denied, '--json'], { cwd })).stdout).toContain('no_warrant')
})
