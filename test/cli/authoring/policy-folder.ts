// A folder whose graph has edges that policies can hang on: some that fire, and some that do not.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const callbacks = `export function toAnn(context) {
  return { passed: context.intent.args.to === 'ann@example.com' }
}
export const never = () => ({ passed: false })
`
const known = (name: string) => ({ level: 1, properties: { is: name } })
const applies = (target: string) => ({ type: 'APPLIES_TO', target, targetDepth: 1 })
const send = {
  name: 'send',
  depths: [
    { level: 0 },
    { ...known('to bring'), relata: [applies('email'), { ...applies('post'), type: 'REQUIRES' }] },
    { level: 2, properties: { can: 'reach' }, relata: [applies('parcel')] },
    // No one has said what its level 3 is, so what hangs on level 4 is never seen.
    { level: 4, relata: [applies('parcel')] },
  ],
}
const post = { name: 'post', depths: [{ level: 0 }, known('a letter')] }
const parcel = { name: 'parcel', depths: [{ level: 0 }, known('a box')] }
const confirmations = [{ id: 'desk', tier: 'confirm', decideWithinMs: 60_000, useWithinMs: 60_000 }]

export async function policyFolder(): Promise<string> {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const seed = join(cwd, 'warrant')
  const graph = JSON.parse(await readFile(join(seed, 'graph.json'), 'utf8'))
  graph.primitives.push(post, parcel, send)
  await writeFile(join(seed, 'graph.json'), JSON.stringify(graph))
  const catalog = JSON.parse(await readFile(join(seed, 'catalog.json'), 'utf8'))
  await writeFile(join(seed, 'catalog.json'), JSON.stringify({ ...catalog, confirmations }))
  await writeFile(join(seed, 'callbacks.ts'), callbacks)
  const { code, stderr } = await run(['seed', 'warrant'], { cwd })
  if (code !== 0) throw new Error(stderr)
  return cwd
}
