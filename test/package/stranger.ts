// A program of someone who has installed the package: it is type-checked against what is shipped,
// and run. It must never reach for a file of the repository.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, Fault, Refused, type Verdict } from 'warrant-runtime'
import { defineCatalog } from 'warrant-runtime/catalog'
import { z } from 'zod'
import { allow, deny, given, inMemory, intent } from 'warrant-runtime/testing'

const warrant = await connect({ as: 'stranger', log: 'memory:' })

const verdict: Verdict = await warrant.ask({ tool: 'files.read', args: { path: 'a' } })
const codes: readonly string[] = verdict.reasons.map(({ code }) => code)
if (verdict.outcome !== 'deny' || !codes.includes('unknown_capability')) {
  throw new Error(`expected a denial, got ${JSON.stringify(verdict)}`)
}

const read = warrant.guard('files.read', ({ path }: { readonly path: string }) => path.length)
try {
  await read({ path: 'a' })
  throw new Error('the guard let it through')
} catch (error) {
  if (error instanceof Fault || !(error instanceof Refused)) throw error
}
// @ts-expect-error The arguments of a guarded tool are those of its function.
export const mistyped = () => read({ path: 5 })

await warrant.close()

// The schema of a tool in zod is its arguments' schema in the catalog.
const { capabilities } = defineCatalog({
  principals: [{ id: 'ann' }, { id: 'stranger', owner: 'ann' }],
  capabilities: [
    {
      id: 'files.list',
      safetyClass: 'READ',
      args: z.object({ path: z.string(), depth: z.int().max(3).optional() }),
      conditions: [{ name: 'home', when: "args.path.startsWith('/home/')", effect: 'require' }],
    },
  ],
})
const [list] = capabilities
if (!JSON.stringify(list?.argsSchema).includes('"required":["path"]')) {
  throw new Error('expected the arguments of the tool')
}
// @ts-expect-error Nemo is no principal of it.
export const unowned = () => defineCatalog({ principals: [{ id: 'bot', owner: 'nemo' }] })

// What a policy does is tested without a log.
const catalog = {
  principals: [{ id: 'agent' }],
  capabilities: [{ id: 'files.list', safetyClass: 'READ' as const }],
}
const on = given({ catalog })
on.when(intent('files.list')).then(allow())
on.when(intent('files.read')).then(deny('unknown_capability'))

const memory = await inMemory({ catalog })
const listed = await memory.client.ask({ tool: 'files.list' })
if (listed.outcome !== 'allow') throw new Error(`expected an allow, got ${JSON.stringify(listed)}`)
await memory.stop()

// A large result is framed in a thread, whose program is in the package.
const driver = { kind: 'local' as const, operation: 'list' }
const capabilitiesRun = catalog.capabilities.map((one) => ({ ...one, driver }))
const running = await inMemory({ catalog: { ...catalog, capabilities: capabilitiesRun } })
const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, mail: 'ann@example.com' }))
const { runtime } = running.client
const agent = await connect({ as: 'agent', runtime, tools: { list: () => rows } })
const { frame } = await agent.call({ tool: 'files.list' })
if (frame.facts?.[0] !== 'Total rows: 50000') {
  throw new Error(`expected a summary, got ${JSON.stringify(frame)}`)
}
await agent.close()
await running.stop()

const { resolve } = createRequire(import.meta.url)
for (const schema of ['asyncapi', 'vlp-message', 'facts/verdict']) {
  JSON.parse(readFileSync(resolve(`warrant-runtime/schemas/${schema}.json`), 'utf8'))
}
process.stdout.write('a stranger was answered\n')
