// A small log that has lived: agents who refund invoices, send mail, delete files, want to burn
// them, and pay to a closed account; with learned knowledge, and verdicts of each sort.
import type { GraphOperation, Provenance } from '#schemas/graph'
import { relate, relatumTo } from '../support/samples/graph-changes.ts'
import { changeGraph } from '../support/runtime.ts'
import { answer, judged, look, reviewed, scene, verdict, type Scene } from '../support/scene.ts'

const learned: Provenance = {
  source: 'learned',
  by: 'olga',
  at: '2026-02-03T09:30:00.000Z',
  intent: 'bot.-.first-mail',
}

function known(name: string, levels: number, provenance?: Provenance): readonly GraphOperation[] {
  const stamp = provenance === undefined ? {} : { provenance }
  const depths = Array.from({ length: levels }, (_, level) => ({
    op: 'describe' as const,
    name,
    level,
    properties: { description: `what ${name} is` },
    ...stamp,
  }))
  return [{ op: 'add', name, ...stamp }, ...depths]
}

const conversational: Provenance = { ...learned, source: 'conversational' }

const watched = { requiresConfirmation: true, callback: null }
const closed = { requiresConfirmation: false, callback: 'no' }
const module = `export const no = () => ({ passed: false, message: 'the account is closed' })`
const graph: readonly GraphOperation[] = [
  ...known('customer', 2),
  ...known('invoice', 2),
  ...known('refund', 2),
  ...known('file', 1),
  ...known('delete', 2),
  ...known('archive', 2),
  ...known('email', 2, learned),
  ...known('payout', 2),
  ...known('account', 2),
  relate('invoice', 1, 'REQUIRES', 'customer'),
  relate('refund', 1, 'APPLIES_TO', 'invoice', watched),
  relate('delete', 1, 'REQUIRES', 'file'),
  relate('payout', 1, 'APPLIES_TO', 'account', closed),
  {
    op: 'relate',
    name: 'archive',
    level: 1,
    relatum: { ...relatumTo('DEPENDS_ON', 'delete'), targetDepth: 3 },
  },
  {
    op: 'relate',
    name: 'email',
    level: 1,
    relatum: relatumTo('APPLIES_TO', 'customer'),
    provenance: conversational,
  },
]

const capabilities = [
  { ...look, id: 'refund', concepts: ['refund', 'invoice'] },
  { ...look, id: 'erase', concepts: ['delete', 'file'] },
  { ...look, id: 'mail', concepts: ['email', 'customer'] },
  { ...look, id: 'burn', concepts: ['burn', 'file'] },
  { ...look, id: 'pay', concepts: ['payout', 'account'] },
]

/** Some intents of two agents, each with its verdict. */
export async function lived(): Promise<Scene> {
  const on = await scene({ catalog: { capabilities }, module })
  await changeGraph(on.runtime, ...graph)
  for (const answers of [true, false]) {
    const address = await reviewed(on, { intent: { tool: 'refund' } })
    await answer(on, address, { answers })
    await verdict(on.log, address)
  }
  const burn = { intent: { tool: 'burn' } }
  await judged(on, burn)
  await judged(on, { ...burn, as: 'honest' })
  await judged(on, { as: 'honest', intent: { tool: 'mail' } })
  await judged(on, { intent: { tool: 'erase' } })
  await judged(on, { intent: { tool: 'erase', minDepth: 1 } })
  await judged(on, { intent: { tool: 'pay' } })
  await judged(on, { as: 'honest', intent: { tool: 'pay' } })
  return on
}
