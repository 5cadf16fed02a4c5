// Rotating an era by the command line, and looking across the eras of a log that has several.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let cwd = ''
const json = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const asking = ['ask', 'send_email', '--json', '--justification', 'Ann asked for her invoice']

/** How many facts the log has so far. */
async function positions(): Promise<number> {
  return json((await run(['log', '--json'], { cwd })).stdout).length
}

let asked: readonly string[] = []

beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const first = json((await run(asking, { cwd })).stdout)[0]
  const waits = ['ask', 'send_email', '--no-stages', '--wait', '0', '--json', '--distinct']
  await run([...waits, '--justification', 'for the second'], { cwd })
  asked = [first.intent]
})

test('anyone who is no policy admin seals nothing', async () => {
  const before = await positions()
  await run(['keys', 'new', 'mallory'], { cwd })
  const key = join(cwd, '.keys/mallory.pem')
  for (const signer of [
    ['--key', key],
    ['--key', key, '--as', 'you'],
  ]) {
    const { code, stderr } = await run(['log', 'rotate', ...signer], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('policy admin')
  }
  expect(await positions()).toBe(before)
  expect((await run(['log', '--eras'], { cwd })).stdout).toMatch(/^era .*\n1 +1 +\d+ +1 +open\n$/)
})

test('an era is sealed and the next goes on, again and again', async () => {
  const sealed = (await positions()) + 1
  const { code, stdout } = await run(['log', 'rotate'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain(`era 1 is sealed at position ${sealed}, and era 2 is open`)
  expect(stdout).toContain(`${sealed - 1} facts in era 1`)
  expect(stdout).toMatch(/era 2 opened with 1 chunk of [\d.]+ kB, sha256:[0-9a-f]{64}\n/)
  expect(stdout).toContain('1 open intent went over')
  const answered = json((await run(asking, { cwd })).stdout)[0]
  expect(answered).toMatchObject({ outcome: 'deny', reasons: [{ code: 'ungrounded' }] })
  asked = [...asked, answered.intent]
  const again = json((await run(['log', 'rotate', '--json'], { cwd })).stdout)[0]
  expect(again).toMatchObject({ sealed: { era: 2 }, snapshot: { parts: 1 }, open: 0 })
  const eras = json((await run(['log', '--eras', '--json'], { cwd })).stdout)[0]
  expect(eras.map(({ state }: { state: string }) => state)).toEqual(['sealed', 'sealed', 'open'])
  expect(eras[0]).toMatchObject({ from: 1, to: sealed })
  expect(eras[2]).toMatchObject({ from: (await positions()) + 1, to: null })
  const table = (await run(['log', '--eras'], { cwd })).stdout
  expect(table).toMatch(/^3 +\d+ +- +0 +open$/m)
})

test('what is read, reported and derived again goes through all eras', async () => {
  const names = json((await run(['log', '--json', '--name', 'verdict.>'], { cwd })).stdout).map(
    ({ name }) => name.slice(0, 14),
  )
  expect(names).toEqual(['main.1.verdict', 'main.2.verdict', 'main.2.verdict'])
  const { stdout } = await run(['log'], { cwd })
  expect(stdout).toMatch(/2\.snapshot\.1 +`you` seals era 1\n/)
  expect(stdout).toMatch(/2\.snapshot\.2 +chunk 1 of the state so far\n/)
  expect(stdout).toMatch(/2\.snapshot\.3 +change sets of the catalog, part 1\n/)
  expect(stdout).toMatch(/2\.snapshot\.4 +`you` signs for 1 chunk, the state at \d+\n/)
  expect(stdout).not.toContain('its name is of no kind')
  for (const intent of asked) {
    const traced = await run(['trace', intent.slice(-8)], { cwd })
    expect(traced).toMatchObject({ code: 0 })
    expect(traced.stdout).toContain('denied')
  }
  const replayed = await run(['replay'], { cwd })
  expect(replayed.code).toBe(0)
  expect(replayed.stdout).toContain('every verdict was reproduced, byte for byte')
  expect(replayed.stdout).toContain('3 eras')
  expect(replayed.stdout).not.toContain('count for nothing')
})

test('what counts for nothing is listed, with why', async () => {
  const none = await run(['log', '--void'], { cwd })
  expect([none.code, none.stdout]).toEqual([0, 'every fact counts\n'])
  const log = await sqliteLog(join(cwd, '.warrant', 'log.db'))
  const address = asked[0] ?? ''
  const [, old = ''] = address.split('.-.')
  const message = await log.get(`main.1.vlp.${address}`)
  await log.append({ name: `main.3.vlp.my-agent.-.${old}`, bytes: message?.bytes ?? Buffer.of() })
  for (const name of ['main.3.graph.9', 'main.3.graph.x', 'other.1.graph.1']) {
    await log.append({ name, bytes: Buffer.from('junk') })
  }
  await log.close()
  await run(asking, { cwd })
  const { code, stdout } = await run(['log', '--void'], { cwd })
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[2]).toMatch(/main\.3\.graph\.9 +revision 9 is out of turn$/)
  expect(stdout).toContain(`main.3.vlp.${address}`)
  const some = json((await run(['log', '--void', '--json', '--name', 'vlp.>'], { cwd })).stdout)
  expect(some).toMatchObject([{ why: 'its address was used before its era' }])
  const limited = await run(['log', '--void', '--json', '--limit', '2'], { cwd })
  expect(json(limited.stdout)).toHaveLength(2)
  expect(limited.stderr).toContain('1 more')
})

test('on servers with accounts a rotation without an operator says how to name one', async () => {
  const env = { WARRANT_LOG: 'nats://127.0.0.1:1', WARRANT_NATS_NKEY_FILE: 'policy-admin.nk' }
  const { code, stderr } = await run(['log', 'rotate'], { cwd, env })
  expect(code).toBe(1)
  expect(stderr).toContain('WARRANT_NATS_OPERATOR_FILE')
  const { stdout } = await run(['log', 'rotate', '--help'], { cwd })
  expect(stdout).toContain('WARRANT_NATS_OPERATOR_FILE')
})
