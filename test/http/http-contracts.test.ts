// Contracts over HTTP: an issuer gives a task, its worker claims it, both read it, and no one else
// learns that it is there.
import { expect, test } from 'vitest'
import { connectHttp } from '#client/over-http/connect-http'
import { serveHttp } from '#http/serving'
import { createToken } from '#serving/token-file'
import { done, verificationOf, workScene, type WorkScene } from '../support/work/work-scene.ts'
import { changeCatalog } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { answer, refusal, type Request } from './http-door.ts'

const task = {
  taskId: 'T-1',
  objective: 'write the page',
  workspace: 'site',
  requiredFiles: ['page.json'],
}

async function contractDoor() {
  const on = await workScene()
  for (const id of ['grader', 'bot', 'honest']) {
    const rest = { roles: [], attributes: {}, keys: [], suspended: false, via: ['http'] }
    const entry = { id, ...rest, ...(id === 'bot' && { owner: 'olga' }) }
    await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  }
  const file = `${await temporaryFolder()}/tokens.ndjson`
  const tokenOf = async (principal: string): Promise<string> => {
    return (await createToken(file, { principal, now: on.time.now, expiresAt: null })).token
  }
  // The door of the tests knows its callers by other names.
  const tokens = {
    ada: await tokenOf('grader'),
    bea: await tokenOf('bot'),
    ann: await tokenOf('honest'),
    kim: await tokenOf('honest'),
  }
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveHttp({ runtime: on.runtime, listen, tokens: file })
  endWithTest(() => serving.close(0))
  return { on, door: { serving, tokens } }
}

const opening: Request = { body: { worker: 'bot', contract: task } }

async function claimBody(on: WorkScene): Promise<object> {
  return { completion: await done(on) }
}

test('a task is given and claimed, and both of its sides read what was found', async () => {
  const { on, door } = await contractDoor()
  const made = await answer(door, 'openContract', opening)
  expect(made.status).toBe(201)
  const { address: id, name } = made.body
  const claimed = await answer(door, 'claim', {
    as: 'bea',
    id: String(id),
    body: await claimBody(on),
  })
  expect(claimed.status).toBe(201)
  await verificationOf(on, String(name))
  await on.runtime.follower.reached((await on.log.head()).position)
  for (const as of ['ada', 'bea'] as const) {
    const { status, body } = await answer(door, 'contract', { as, id: String(id) })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      contract: {
        state: 'ended',
        terms: task,
        attempts: [{ claim: claimed.body['name'], found: { verification: 'verified' } }],
        ended: { how: 'verified', score: 1 },
      },
    })
  }
  const { body } = await answer(door, 'standing', { as: 'bea', id: 'bot' })
  expect(body).toMatchObject({ standing: { agent: 'bot', scored: 1, level: 'standard' } })
})

test('only those whose contract it is learn of it', async () => {
  const { on, door } = await contractDoor()
  const { body } = await answer(door, 'openContract', opening)
  const id = String(body['address'])
  await on.runtime.follower.reached((await on.log.head()).position)
  const listed = async (as: 'ada' | 'bea' | 'ann') => {
    return (await answer(door, 'contracts', { as })).body['rows']
  }
  expect(await listed('ada')).toMatchObject([{ contract: id, waits: 'claim' }])
  expect(await listed('bea')).toMatchObject([{ contract: id }])
  expect(await listed('ann')).toEqual([])
  expect(await refusal(door, 'contract', { as: 'ann', id })).toBe('404 no_contract')
  const other = 'grader.-.01X'
  expect(await refusal(door, 'contract', { as: 'ann', id: other })).toBe('404 no_contract')
  expect(await refusal(door, 'standing', { as: 'ann', id: 'bot' })).toBe('404 unknown_principal')
  expect((await answer(door, 'standing', { as: 'ada', id: 'bot' })).status).toBe(200)
})

test('what would not count is refused, and a repetition under its key is the same', async () => {
  const { on, door } = await contractDoor()
  expect(await refusal(door, 'openContract', { ...opening, as: 'bea' })).toBe(
    '422 contract_refused',
  )
  expect(await refusal(door, 'openContract', { body: { worker: 'bot' } })).toBe(
    '400 request_invalid',
  )
  const unread = {
    as: 'bea',
    id: 'grader.-.01X',
    body: { completion: { status: 'done' } },
  } as const
  expect((await answer(door, 'claim', unread)).body['detail']).toContain('`completion/status`')
  const { body } = await answer(door, 'openContract', {
    body: { worker: 'bot', contract: { ...task, maxRetries: 1 } },
  })
  const id = String(body['address'])
  const request = { id, body: await claimBody(on) }
  expect(await refusal(door, 'claim', { ...request, as: 'ann' })).toBe('422 claim_refused')
  const headers = { 'idempotency-key': 'one' }
  const first = await answer(door, 'claim', { ...request, as: 'bea', headers })
  await verificationOf(on, String(body['name']))
  const again = await answer(door, 'claim', { ...request, as: 'bea', headers })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
  expect(await refusal(door, 'claim', { ...request, as: 'bea' })).toBe('422 claim_refused')
})

test('a client over HTTP gives tasks and claims them as one on the log does', async () => {
  const { on, door } = await contractDoor()
  const { url } = door.serving
  const grader = await connectHttp({ url, token: door.tokens.ada })
  const bot = await connectHttp({ url, token: door.tokens.bea })
  const { name } = await grader.contract({ worker: 'bot', contract: task })
  const { name: claim } = await bot.claim({ contract: name, completion: await done(on) })
  const found = await verificationOf(on, name)
  expect(found).toMatchObject({ claim, verification: 'verified' })
  const none = bot.contract({ worker: 'bot', contract: task })
  await expect(none).rejects.toMatchObject({ code: 'contract_refused' })
  await grader.close()
  await bot.close()
})
