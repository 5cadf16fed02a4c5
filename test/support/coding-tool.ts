// A tool as coding agents have it, whose calls people are asked about: the concepts of a call say
// what it would do.
import type { Runtime } from '#runtime/engine/runtime'
import { Capability } from '#schemas/catalog'
import { Relatum, type GraphOperation } from '#schemas/graph'
import { changeCatalog, changeGraph } from './runtime.ts'

const folder = { type: 'string' }
const argsSchema = {
  type: 'object',
  properties: { paths: { type: 'array', items: folder }, root: folder, cwd: folder },
}

/** The confirmation `four` of the catalog is asked. */
export async function codingTool(runtime: Runtime): Promise<void> {
  const includes = (target: string): GraphOperation => {
    const relatum = Relatum.parse({ type: 'INCLUDES', target, targetDepth: 1 })
    return { op: 'relate', name: 'shell.command', level: 1, relatum }
  }
  const targets = ['write.inside', 'destroy.inside']
  const names = ['shell.command', ...targets]
  await changeGraph(runtime, ...names.flatMap(known), ...targets.map(includes))
  const condition = {
    name: 'write',
    when: 'true',
    effect: 'confirm',
    question: 'It changes files.',
  }
  const entry = Capability.parse({
    id: 'file.write',
    safetyClass: 'WRITE',
    concepts: ['shell.command'],
    argsSchema,
    conditions: [{ ...condition, confirmation: 'four' }],
  })
  await changeCatalog(runtime, { op: 'put', collection: 'capabilities', entry })
}

function known(name: string): readonly GraphOperation[] {
  return [
    { op: 'add', name },
    { op: 'describe', name, level: 0, properties: {} },
    { op: 'describe', name, level: 1, properties: { what: 'known' } },
  ]
}

/** What an agent asks of it. */
export function codingCall(path: string, concept = 'write.inside') {
  const concepts = ['shell.command', concept]
  const args = { paths: [path], root: '/srv/shop' }
  return { tool: 'file.write', args, concepts, justification: 'The page needs it' }
}
