// `warrant up` while the servers of its log are away: it logs why, tries again, is not ready, and
// ends at the first signal.
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { canStartNats, startNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const listening = /"listen":"(http:[^"]+)"/

describe.skipIf(!canStartNats)('up', () => {
  test('waits for servers that are not there, and says when they go and come', async () => {
    const server = await startNats()
    const cwd = await temporaryFolder()
    const log = ['--log', server.url]
    expect((await run(['nats', 'init', ...log], { cwd })).code).toBe(0)
    await server.stop()
    const up = start(['up', 'grounding', '--listen', '0', ...log], { cwd })
    let stderr = ''
    up.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    try {
      await says(up, 'stderr', '"msg":"log not reached yet"')
      expect(stderr).toContain('does a nats-server listen there')
      const [running, caughtUp] = [
        says(up, 'stderr', '"msg":"stages running"'),
        says(up, 'stderr', '"msg":"caught up, waiting for jobs"'),
      ]
      await server.start()
      await running
      await caughtUp
      const ready = `${listening.exec(stderr)?.[1]}/readyz`
      expect((await fetch(ready)).status).toBe(200)
      const lost = says(up, 'stderr', '"msg":"connection to the log lost"')
      await server.stop()
      await lost
      expect(await (await fetch(ready)).json()).toMatchObject({
        ready: false,
        problems: [{ check: 'connection' }],
      })
      const back = says(up, 'stderr', '"msg":"connection to the log back"')
      await server.start()
      await back
      expect(stderr).toMatch(/"awayMs":[0-9]+,"msg":"connection to the log back"/)
    } finally {
      up.kill('SIGKILL')
      await server.dispose()
    }
  })

  test('that has not begun ends at the first signal', async () => {
    const server = await startNats()
    await server.stop()
    const cwd = await temporaryFolder()
    const up = start(['up', 'grounding', '--log', server.url], { cwd })
    await says(up, 'stderr', '"msg":"log not reached yet"')
    const ending = once(up, 'exit')
    up.kill('SIGTERM')
    expect(await ending).toEqual([0, null])
    await server.dispose()
  })
})
