// A scene with the seeds of hooks, and a server that answers hooks in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { judgeHere, type HookJudge } from '#judging/judging'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { createToken } from '#serving/token-file'
import type { Confirmation } from '#schemas/catalog'
import { serveHttp } from '#http/serving'
import { scene, type Scene, type SceneSetup } from '../support/scene.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const tables = await readHookTables(shippedHookSeeds(root))
const judge = judgeHere({ tables, key: new Uint8Array(32), readable: 'project' })
const seedOf = (name: string, file: string) =>
  JSON.parse(readFileSync(join(root, 'seeds', name, file), 'utf8'))
/** What the seeds have; any text of JSON. */
export const declared = ['shell', 'hooks'].flatMap(
  (name) => seedOf(name, 'catalog.json').capabilities,
)

const Body = z.record(z.string(), z.unknown())

export interface HookScene {
  readonly on: Scene
  readonly hook: (event: unknown, more?: Sending) => Promise<Printed>
}

interface MoreOfScene {
  readonly parts?: SceneSetup['parts']
  readonly principals?: NonNullable<SceneSetup['catalog']>['principals']
}

interface Sending {
  readonly host?: string
  readonly token?: string
  readonly as?: string
}

export interface Printed {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export async function hookScene(
  confirmation?: Pick<z.input<typeof Confirmation>, 'tier' | 'ask'>,
  capabilities: typeof declared = declared,
  { parts = {}, principals = [] }: MoreOfScene = {},
): Promise<HookScene> {
  const on = await scene({
    parts,
    catalog: {
      principals: [{ id: 'ada', owner: 'olga', roles: ['writer'], via: ['http'] }, ...principals],
      capabilities:
        confirmation === undefined
          ? capabilities
          : capabilities.map((one: object) => ({ ...one, confirmation: 'host' })),
      ...(confirmation !== undefined && { confirmations: [{ id: 'host', ...confirmation }] }),
      limits: ['shell', 'hooks'].flatMap((name) => seedOf(name, 'catalog.json').limits),
      defaults: seedOf('shell', 'catalog.json').defaults,
    },
    graph: seedOf('shell', 'graph.json'),
  })
  return { on, hook: await served(on) }
}

export async function served(
  { runtime, time }: Scene,
  hooks: HookJudge = judge,
): Promise<HookScene['hook']> {
  const folder = await temporaryFolder()
  const tokens = join(folder, 'tokens.ndjson')
  const { token: own } = await createToken(tokens, {
    principal: 'ada',
    now: time.now,
    expiresAt: null,
  })
  const serving = await serveHttp({
    runtime,
    listen: { host: '127.0.0.1', port: 0 },
    tokens,
    hooks,
  })
  endWithTest(() => serving.close(0))
  return async (event, { host = 'claude-code', token = own, as = '?as=command' } = {}) => {
    const response = await fetch(`${serving.url}/v1/hooks/${host}${as}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof event === 'string' ? event : JSON.stringify(event),
    })
    return { status: response.status, body: Body.parse(await response.json()) }
  }
}

export const isBlocked = (host: string, { status, body }: Printed): boolean => {
  const isDenied =
    host === 'copilot' ? String(body['stdout']).includes('"deny"') : body['exit'] === 2
  return status === 200 && isDenied && body['stderr'] !== ''
}

/** The address of the intent that a denial names by its end. */
export async function intentIn(on: Scene, { body }: Printed): Promise<string> {
  const end = /Intent (?<end>[\w.-]+)/.exec(String(body['stderr']))?.groups?.['end'] ?? '?'
  const named = (await on.facts()).filter(({ kind, name }) => kind === 'vlp' && name.endsWith(end))
  return named[0]?.name.split('.').slice(-3).join('.') ?? ''
}
