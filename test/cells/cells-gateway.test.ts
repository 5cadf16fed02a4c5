// A gateway of a realm of cells: each call is begun and ended in the log of its cell, what is taken
// back in the control log stops it from where that stands in the cell, and what a dead gateway left
// is closed in every cell.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { LocalTool } from '#gateway/tools/local'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { digestOfJson } from '#record/digest'
import { realmOfCell, controlPlace } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { dpopFor } from '#messages/warrants/minted'
import { gatewayId } from '#gateway/gateway-id'
import { bindWord } from '#gateway/words'
import { provingOn } from '#replay/verdicts/proving'
import { gatewaysOn } from '#wiring/own-gateway'
import { Capability, Principal } from '#schemas/catalog'
import { connect } from '#client/connect'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { testKey } from '#testing/setup'
import { changeCatalog, keys } from '../support/runtime.ts'
import { names } from '../support/scene.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { agentOfCell, memoryStand, replayed, until } from './memory-stand.ts'

const fleets = ['red', 'blue', 'green', 'white', 'black']
const gate = testKey('gate')
const agents = fleets.map((fleet) => {
  const id = `agent-${fleet}`
  const of = { id, owner: 'olga', attributes: { fleet }, keys: [publicKeyOf(testKey(id))] }
  return Principal.parse(of)
})
const post = Capability.parse({
  id: 'post',
  safetyClass: 'READ',
  argsSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  driver: { kind: 'local', operation: 'post' },
})
const issuer = Principal.parse({ id: 'gate', roles: ['issuer'], keys: [publicKeyOf(gate)] })
const limit = { capability: 'post', uses: 'unlimited' as const, windowMs: 60_000 }
const setup = {
  catalog: { cells: 2, capabilities: [post], principals: [...agents, issuer], limits: [limit] },
}

async function stand(tool: LocalTool = () => [{ id: 1 }, { id: 2 }], cells = [0, 1]) {
  const at = await memoryStand(setup)
  endWithTest(() => at.dispose())
  const served = at.on.filter((_, cell) => cells.includes(cell))
  const logs = served.map(({ runtime }) => ({ runtime, proving: provingOn(runtime, stages, null) }))
  const gateways = await gatewaysOn(logs, { tools: { post: tool } })
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveGateway({ ...gateways, listen, issuerKey: gate })
  endWithTest(() => serving.close(0))
  const inCells = await Promise.all(
    at.on.map(async (there, cell) => {
      const id = agentOfCell(there, agents, cell)
      const { runtime, log } = there
      const client = await connect({ as: id, privateKey: testKey(id), runtime })
      let n = 0
      const asked = async (): Promise<string> => {
        const { intent } = await client.ask({
          tool: 'post',
          args: { n: (n += 1) },
          justification: 'so',
        })
        return intent
      }
      return { id, client, runtime, log, asked, realm: realmOfCell({ of: 'main', index: cell }) }
    }),
  )
  return { ...at, serving, inCells }
}

type Stand = Awaited<ReturnType<typeof stand>>

function inCell({ inCells }: Stand, cell: number): Stand['inCells'][0] {
  return inCells[cell] ?? expect.fail('there are two')
}

/** Sends it as that agent would. */
async function sent(
  { serving, inCells }: Stand,
  of: {
    readonly id: string
    readonly path: string
    readonly token?: string
    readonly body?: unknown
  },
) {
  const { id, path, token = null, body } = of
  const target = { method: 'POST', url: `${serving.url}${path}` }
  const now = inCells[0]?.runtime.logClock.now() ?? 0
  const response = await fetch(target.url, {
    method: 'POST',
    headers: {
      dpop: dpopFor({ token, target, now, id: randomUUID() }, testKey(id)),
      ...(token !== null && { authorization: `DPoP ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return z.looseObject({}).parse(await response.json())
}

async function minted(all: Stand, cell: number, intent: string): Promise<string> {
  const { id } = inCell(all, cell)
  const answer = await sent(all, { id, path: `/v1/warrants/${intent}` })
  return z.string().parse(answer['token'])
}

async function called(all: Stand, cell: number, intent: string, given?: string) {
  const token = given ?? (await minted(all, cell, intent))
  return sent(all, { id: inCell(all, cell).id, path: '/v1/calls', token, body: { intent } })
}

test('each call is begun, ended and looked at in the log of its cell', async () => {
  const all = await stand()
  for (const [cell, { id, asked, log, realm }] of all.inCells.entries()) {
    const intent = await asked()
    const answer = await called(all, cell, intent)
    expect(answer).toMatchObject({ intent, verdict: `${realm}.1.verdict.${intent}` })
    const { handle } = z.looseObject({ handle: z.looseObject({ id: z.string() }) }).parse(answer)
    const more = await sent(all, { id, path: `/v1/handles/${handle.id}`, body: { limit: 1 } })
    expect(more).toMatchObject({ frame: { table: [{ id: 1 }] } })
    for (const kind of ['start', 'outcome', 'expansion']) {
      expect(await names(log, `${realm}.1.${kind}.>`)).toHaveLength(1)
    }
    expect(await replayed(log, realm)).toMatchObject({ differences: 0, voidCount: 0 })
  }
  const ready = await fetch(`${all.serving.url}/readyz`)
  expect(await ready.json()).toMatchObject({ ready: true, cells: 2 })
})

test('a warrant of one cell is for no intent of another, and one gateway for both runs it once', async () => {
  const all = await stand()
  const [first, second] = await Promise.all(all.inCells.map(({ asked }) => asked()))
  const token = await minted(all, 0, first ?? '')
  const { id } = inCell(all, 0)
  const body = { intent: second }
  const stolen = await sent(all, { id, path: '/v1/calls', token, body })
  expect(stolen).toMatchObject({ code: 'not_yours' })
  const foreign = await sent(all, { id, path: `/v1/warrants/${second}` })
  expect(foreign).toMatchObject({ code: 'not_yours' })
  const twice = await Promise.all([called(all, 1, second ?? ''), called(all, 1, second ?? '')])
  expect(twice.flatMap(({ code }) => code ?? [])).toEqual(['warrant_used'])
})

test('a gateway of one cell alone refuses a warrant of another', async () => {
  const both = await stand()
  const intent = await inCell(both, 1).asked()
  const token = await minted(both, 1, intent)
  const one = await stand(undefined, [0])
  const { id } = inCell(one, 1)
  const answer = await sent(one, { id, path: '/v1/calls', token, body: { intent } })
  expect(answer).toMatchObject({ code: 'token_refused', reason: 'token_log' })
  const minting = await sent(one, { id, path: `/v1/warrants/${await inCell(one, 1).asked()}` })
  expect(minting).toMatchObject({ code: 'no_verdict' })
})

test('what the control log takes back stops a call from where it stands in the cell', async () => {
  const all = await stand()
  const allowed = async (cell: number): Promise<readonly [number, string, string]> => {
    const intent = await inCell(all, cell).asked()
    return [cell, intent, await minted(all, cell, intent)]
  }
  const [near, far, later] = [await allowed(0), await allowed(1), await allowed(1)]
  const open = all.cells.cut(1)
  const { client, runtime } = inCell(all, 0)
  await client.revoke({ target: { capability: 'post' }, by: 'root', privateKey: keys.root })
  await until(() => runtime.follower.state.revocations.size === 1)
  expect(await called(all, ...near)).toMatchObject({ code: 'warrant_revoked' })
  // It is not there yet: this start comes before it.
  expect(await called(all, ...far)).toMatchObject({ intent: far[1] })
  open()
  await until(() => inCell(all, 1).runtime.follower.state.revocations.size === 1)
  expect(await called(all, ...later)).toMatchObject({ code: 'warrant_revoked' })
  await changeCatalog(all.control.runtime, { op: 'suspend', id: inCell(all, 1).id })
  await until(() => inCell(all, 1).runtime.follower.state.catalogRevision === 2)
  for (const { log, realm } of all.inCells) {
    const report = await replayed(log, realm)
    expect(report).toMatchObject({ differences: 0, voidCount: 0 })
    expect(report.findings.shown).toEqual([])
  }
})

test('what a dead gateway left is closed in every cell, and settled there', async () => {
  const all = await stand()
  const left = await Promise.all(
    all.inCells.map(async ({ asked, runtime, id, realm }, index) => {
      const intent = await asked()
      const gateway = gatewayId('gateway').replace(/:\d+:/, ':2147483646:')
      await bindWord(runtime, 'start', {
        gateway,
        intent: { address: intent, agent: id, session: null },
        said: {
          verdict: `${realm}.1.verdict.${intent}`,
          gateway,
          until: new Date(runtime.logClock.now() + 60_000).toISOString(),
          capability: 'post',
          executed: digestOfJson({ n: index }),
        },
      })
      return intent
    }),
  )
  for (const [cell, { runtime, log, realm, client }] of all.inCells.entries()) {
    await until(() => runtime.follower.state.unsettled.size === 1)
    expect(await names(log, `${realm}.1.outcome.>`)).toHaveLength(1)
    const intent = left[cell] ?? ''
    await client.settle({ intent, by: 'olga', privateKey: keys.olga, happened: false })
    expect(runtime.follower.state.unsettled.size).toBe(0)
    expect(await names(log, `${realm}.1.settlement.>`)).toHaveLength(1)
  }
})

test('in a process of its own cell an agent calls there, and an unknown end is of that cell', async () => {
  const at = await memoryStand(setup)
  endWithTest(() => at.dispose())
  for (const [cell, { runtime, log }] of at.on.entries()) {
    const id = agentOfCell(at.on[cell] ?? at.control, agents, cell)
    const tools = {
      post: ({ n }: { readonly n?: unknown }) => {
        if (n === 2) throw new ToolFailure('connection_lost', 'unknown')
        return 'sent'
      },
    }
    const client = await connect({ as: id, privateKey: testKey(id), runtime, tools })
    const of = { tool: 'post', justification: 'so' }
    await client.call({ ...of, args: { n: 1 } })
    const lost = client.call({ ...of, args: { n: 2 } })
    await expect(lost).rejects.toMatchObject({ code: 'outcome_unknown' })
    await client.close()
    expect(await names(log, `main-c${cell}.1.outcome.>`)).toHaveLength(2)
    expect(runtime.follower.state.unsettled.size).toBe(1)
  }
})

// A revocation is a fact of the control log: bound in one cell, it stops what was allowed in each
// of them before it came there, and it is void or sound in all alike.

const revokedAgents = ['red', 'blue', 'green', 'white', 'black'].map((fleet) =>
  Principal.parse({ id: `agent-${fleet}`, owner: 'olga', attributes: { fleet } }),
)
const look = { id: 'look', safetyClass: 'READ' as const }
const revoking = { catalog: { cells: 2, capabilities: [look], principals: revokedAgents } }

test('a revocation in one cell stops what each cell allowed before', async () => {
  const at = await memoryStand(revoking)
  endWithTest(() => at.dispose())
  const waiting = await Promise.all(
    at.on.map(async (there, cell) => {
      const { runtime } = there
      const client = await connect({ as: agentOfCell(there, revokedAgents, cell), runtime })
      let runs = 0
      const guarded = client.guard('look', () => (runs += 1))
      const verdict = await client.ask({ tool: 'look' })
      expect(verdict.outcome).toBe('allow')
      return { client, guarded, verdict, runs: () => runs, runtime }
    }),
  )
  const [first] = waiting
  if (first === undefined) throw new Error('there is a cell')
  const target = { capability: 'look' }
  const { name } = await first.client.revoke({ target, by: 'root', privateKey: keys.root })
  expect(name.startsWith(`${controlPlace('main-c0').realm}.1.revocation.`)).toBe(true)
  const own = { verdict: waiting[1]?.verdict.name ?? '' }
  await first.client.revoke({ target: own, by: 'olga', privateKey: keys.olga })
  for (const { guarded, verdict, runs, runtime } of waiting) {
    await until(() => runtime.follower.state.revocations.size === 2)
    const redeemed = guarded.redeem(verdict.intent)
    await expect(redeemed).rejects.toMatchObject({ code: 'warrant_revoked' })
    expect(runs()).toBe(0)
  }
  for (const [cell, log] of at.cells.logs.entries()) {
    const report = await replayed(log, `main-c${cell}`)
    expect(report).toMatchObject({ differences: 0, voidCount: 0 })
  }
})
