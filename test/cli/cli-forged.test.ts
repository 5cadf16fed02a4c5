// What someone who can write the file writes into a log as an allow: the commands that read the log
// show it as void, with the reason, and what the stages allowed as it is.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { partsInRealm } from '#record/names'
import { run } from '../support/cli-runner.ts'
import { seedChanged } from '../support/seed-changed.ts'
import { madeUp } from '../support/forger.ts'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const why = 'no stage would have bound it where it stands'

/** A log with an intent that was allowed, and one whose allow was made up. */
async function forgedLog() {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const look = { id: 'look', safetyClass: 'READ', argsSchema: { type: 'object' } }
  await seedChanged(cwd, (catalog) => void catalog.capabilities.push(look))
  const asked = await run(['ask', 'look', '--arg', 'id=1', '--json'], { cwd })
  const honest = JSON.parse(asked.stdout).intent
  await run(['ask', 'look', '--arg', 'id=2', '--no-stages', '--wait', '0'], { cwd })
  const log = await sqliteLog(join(cwd, '.warrant/log.db'))
  const { position: basis } = await log.head()
  let forged = ''
  for await (const { name } of log.read({ from: basis })) {
    forged = partsInRealm(name, 'main')?.address ?? ''
  }
  await log.append(madeUp(forged, { basis, time: new Date().toISOString() }))
  await log.close()
  return { cwd, honest, forged }
}

test('trace and log show an allow that was made up as void', async () => {
  const { cwd, honest, forged } = await forgedLog()
  const shown = async (...args: string[]) => (await run(args, { cwd })).stdout
  expect(JSON.parse(await shown('trace', honest, '--json'))).toMatchObject({ outcome: 'allow' })
  const story = JSON.parse(await shown('trace', forged, '--json'))
  expect(story).toMatchObject({ outcome: 'deny' })
  expect(story.steps.at(-1)).toMatchObject({ void: why })
  const text = await shown('trace', forged)
  expect(text).toContain('counts for nothing')

  const lines = (await shown('log', '--name', 'verdict.>')).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('allow')
  expect(lines[1]).toContain(`counts for nothing: ${why}`)
  expect(lines[1]).not.toContain('allowed')
  const [one, two] = (await shown('log', '--outcome', 'allow', '--json')).trimEnd().split('\n')
  expect(JSON.parse(one ?? '')).not.toHaveProperty('void')
  expect(JSON.parse(two ?? '')).toMatchObject({ void: why })
  const rows = (await shown('log', '--name', 'verdict.>', '--csv')).trimEnd().split('\n')
  expect(rows[1]).toContain(',allow,')
  expect(rows[2]).not.toContain(',allow,')
  // Counts take allows as recorded.
  expect(JSON.parse(await shown('stats', '--json'))).toMatchObject({ counts: 'recorded' })
  expect(await shown('stats')).toContain('`warrant log --void` derives each again')
  const listed = JSON.parse(await shown('log', '--void', '--json'))
  expect(listed).toMatchObject({ name: `main.1.verdict.${forged}`, why })
})
