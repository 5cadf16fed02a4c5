// Which NATS the tests run on, and that a real one of the chosen kind starts, ends and comes back.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseNats, type NatsLooks } from '../support/servers/nats-choice.ts'
import { canStartNats, startNats } from '../support/servers/nats-server.ts'

const v215 = 'nats-server: v2.15.2'

function looks(given: {
  readonly versions?: Readonly<Record<string, string>>
  readonly docker?: boolean
}): NatsLooks {
  return {
    home: '/house',
    version: (file) => given.versions?.[file] ?? null,
    dockerAnswers: async () => given.docker === true,
  }
}

describe('which NATS the tests run on', () => {
  test('nothing is chosen where there is nothing', async () => {
    expect(await chooseNats({ PATH: '/bin' }, looks({}))).toEqual({ by: 'nothing' })
  })

  test('nothing is refused where a server is required', async () => {
    const chosen = chooseNats({ WARRANT_NATS_REQUIRED: '1' }, looks({}))
    await expect(chosen).rejects.toThrow('it is required')
  })

  test('a binary that is named and does not run is refused, whatever else is here', async () => {
    const here = looks({ versions: { '/bin/nats-server': v215 }, docker: true })
    const chosen = chooseNats({ WARRANT_NATS_SERVER: '/mine', PATH: '/bin' }, here)
    await expect(chosen).rejects.toThrow('WARRANT_NATS_SERVER')
  })

  test('a binary that is named and too old is refused, and the next version is not', async () => {
    const environment = { WARRANT_NATS_SERVER: '/mine' }
    const old = looks({ versions: { '/mine': 'nats-server: v2.14.9' } })
    await expect(chooseNats(environment, old)).rejects.toThrow('WARRANT_NATS_SERVER')
    const fits = looks({ versions: { '/mine': 'nats-server: v2.15.0' } })
    expect(await chooseNats(environment, fits)).toEqual({ by: 'binary', file: '/mine' })
  })

  test('a URL is taken before a binary, and a binary before Docker', async () => {
    const here = looks({ versions: { '/bin/nats-server': v215 }, docker: true })
    const url = 'nats://127.0.0.1:4222'
    expect(await chooseNats({ WARRANT_NATS_URL: url, PATH: '/bin' }, here)).toEqual({
      by: 'url',
      url,
    })
    expect(await chooseNats({ WARRANT_NATS_URL: '', PATH: '/bin' }, here)).toEqual({
      by: 'binary',
      file: '/bin/nats-server',
    })
    expect(await chooseNats({ PATH: '/other' }, here)).toEqual({ by: 'container' })
  })

  test('an old server on the path is passed over for what `go install` left', async () => {
    const left = '/house/go/bin/nats-server'
    const versions = { '/bin/nats-server': 'nats-server: v2.9.10', [left]: v215 }
    const chosen = await chooseNats({ PATH: '/bin' }, looks({ versions }))
    expect(chosen).toEqual({ by: 'binary', file: left })
    const moved = { PATH: '/bin', GOPATH: '/gone' }
    expect(await chooseNats(moved, looks({ versions }))).toEqual({ by: 'nothing' })
  })
})

describe.skipIf(!canStartNats)('a real server', () => {
  test('comes back on its port and folder after its end, and after its death', async () => {
    const server = await startNats()
    try {
      await server.stop()
      await server.start()
      await server.kill()
      await server.start()
      expect(existsSync(join(server.folder, 'server.log'))).toBe(true)
    } finally {
      await server.dispose()
    }
    expect(existsSync(server.folder)).toBe(false)
  })
})
