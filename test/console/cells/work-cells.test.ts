// Standings and contracts of two cells at one console: each row says its cell, and a contract is
// found in the cell that has it.
import { expect, test } from 'vitest'
import { operations } from '#schemas/operations/table'
import { cellsScene, contractIn, signedIn } from './cells-scene.ts'

test('contracts of both are in one list, page by page, and each is found where it is', async () => {
  const scene = await cellsScene()
  const given = [await contractIn(scene, 0), await contractIn(scene, 1)]
  const root = await signedIn(scene, 'root')
  const found: string[] = []
  for (let query: string | null = '?limit=1'; query !== null;) {
    const page = operations.contracts.output.parse(await root.get('contracts', { query }))
    expect(page.count).toBe(2)
    found.push(...page.rows.map(({ contract }) => contract))
    query = page.next === null ? null : `?limit=1&cursor=${page.next}`
  }
  expect(found).toEqual(given)
  for (const [cell, contract] of given.entries()) {
    const answer = await root.get('contract', { params: { contract } })
    const shown = operations.contract.output.parse(answer).contract
    expect([shown.cell, shown.task?.taskId]).toEqual([cell, `T-${cell}`])
  }
})

test('each agent is listed once, and has its standing once, in its own cell', async () => {
  const scene = await cellsScene()
  await contractIn(scene, 1)
  const root = await signedIn(scene, 'root')
  const { rows } = operations.standings.output.parse(await root.get('standings'))
  const agents = rows.map(({ agent }) => agent)
  expect(new Set(agents).size).toBe(agents.length)
  const all = operations.agents.output.parse(await root.get('agents')).rows
  expect(new Set(all.map(({ agent }) => agent)).size).toBe(all.length)
  for (const [cell, agent] of scene.agents.entries()) {
    expect(all.find((one) => one.agent === agent)?.cell).toBe(cell)
    const row = rows.find((one) => one.agent === agent)
    expect([row?.cell, row?.contracts]).toEqual([cell, cell])
    const answer = await root.get('standing', { params: { agent } })
    const one = operations.standing.output.parse(answer)
    expect([one.standing.cell, one.open.length]).toEqual([cell, cell])
  }
})
