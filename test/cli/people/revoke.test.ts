import { beforeAll, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
let intent = ''

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await run(['init'], { cwd })).code).toBe(0)
  const args = ['send_email', '--arg', 'to=ann@example.org', '--json']
  const asked = await run(['ask', ...args, '--justification', 'Ann asked for it'], { cwd })
  intent = JSON.parse(asked.stdout).intent
})

test('exactly one thing is taken back at a time, and it must be there', async () => {
  for (const args of [[], ['--agent', 'my-agent', '--tool', 'send_email']]) {
    expect(await run(['revoke', ...args], { cwd })).toMatchObject({ code: 2 })
  }
  for (const [args, code] of [
    [['--agent', 'nowhere'], 'unknown_principal'],
    [['--tool', 'nowhere'], 'unknown_capability'],
    [['--warrant', 'nowhere'], 'no_intent'],
  ] as const) {
    const { stdout } = await run(['revoke', ...args, '--json'], { cwd })
    expect(stdout).toContain(code)
  }
  expect(await run(['revoke', '--grant', 'mine'], { cwd })).toMatchObject({ code: 2 })
  expect(await run(['revocations'], { cwd })).toMatchObject({ stdout: 'nothing was taken back\n' })
})

test('what cannot be asked at a terminal is not signed', async () => {
  const bare = await run(['revoke', '--agent', 'my-agent', '--json'], { cwd, isBare: true })
  expect([bare.code, bare.stdout.includes('no_terminal')]).toEqual([1, true])
})

test('a warrant is taken back, and listed with who and why', async () => {
  const args = ['revoke', '--warrant', intent.slice(-8), '--note', 'a mistake', '--json']
  const { code, stdout } = await run(args, { cwd })
  expect(code).toBe(0)
  const verdict = `main.1.verdict.${intent}`
  expect(JSON.parse(stdout)).toMatchObject({ target: { verdict }, by: 'you' })
  const listed = await run(['revocations', '--json'], { cwd })
  expect(JSON.parse(listed.stdout)).toMatchObject({
    target: { verdict },
    by: 'you',
    note: 'a mistake',
  })
  const table = await run(['revocations'], { cwd })
  expect(table.stdout).toContain(`the warrant of ${verdict}`)
  const log = await run(['log'], { cwd })
  expect(log.stdout).toContain('takes back the warrant of')
})

test('an intent that was denied, or has no verdict, has no warrant to take back', async () => {
  const denied = await run(['ask', 'nothing_such', '--json'], { cwd })
  const address: string = JSON.parse(denied.stdout).intent
  const { stdout } = await run(['revoke', '--warrant', address, '--json'], { cwd })
  expect(stdout).toContain('no_warrant')
})
