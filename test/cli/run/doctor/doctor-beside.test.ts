// A server that runs already finds what the command finds, and what is wrong with its log.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doctorBeside } from '#cli/run/doctor/run'
import { withRuntime } from '#cli/terminal/opening/opened'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('it makes the checks of the command, on the runtime that it has', async () => {
  const cwd = await temporaryFolder()
  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
  await run(['ask', 'sing', '--observe'], { cwd })
  const { stdout } = await run(['doctor', '--json'], { cwd })
  const said: { readonly findings: readonly { readonly check: string }[] } = JSON.parse(stdout)
  const options = { log: join(cwd, '.warrant/log.db'), realm: 'main', stages: false }
  const found = await withRuntime(options, { reads: true }, (runtime) => {
    return doctorBeside([runtime], options)
  })
  const checks = new Set(found.map(({ check }) => check))
  // What is beside the project differs by where one stands; the log is the same.
  for (const { check } of said.findings) expect([...checks]).toContain(check)
  expect(found).toContainEqual(
    expect.objectContaining({ check: 'observing', status: 'warning', about: 'my-agent' }),
  )
  expect(found.filter(({ check }) => check === 'log')).toMatchObject([{ status: 'ok' }])
})
