// What stands around the runtime agrees with it and with itself, as far as that can be known
// without Docker: services and stages, files and mounts, secrets.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { drainMsDefault } from '#wiring/open'
import { allStages as stages } from '#workers/all-stages'
import { run } from '../support/cli-runner.ts'
import { composeOf, textOf, type Service } from './deploy-files.ts'
import { natsBinary } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = 'examples/compose'
const compose = composeOf('docker-compose.yml')
const embedded = composeOf(`${folder}/embedded.yml`)
const services = Object.entries(compose.services)
const stageNames: readonly string[] = stages.map(({ name }) => name)
const listenPort = 9464
/** A service that follows the log. */
const workerNames: readonly string[] = [...stageNames, 'projector']

/** What people make for their own deployment, and no one commits. */
const made = `./${folder}/made/`

function isThere(path: string): boolean {
  return existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)))
}

function serviceOf(name: string): Service {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`no service ${name}`)
  return service
}

function conditionsOf({ depends_on }: Service): readonly (readonly [string, string])[] {
  return Array.isArray(depends_on)
    ? depends_on.map((name) => [name, 'service_started'] as const)
    : Object.entries(depends_on).map(([name, { condition }]) => [name, condition] as const)
}

describe('services', () => {
  test.each(stageNames)('the stage %s is a service of its own, which can be scaled', (stage) => {
    const service = serviceOf(stage)
    expect(service.command).toBe(`up ${stage} --listen 0.0.0.0:${listenPort}`)
    // Two of a service can share neither a port of the machine nor a name.
    expect(service.ports).toEqual([])
    expect(service.deploy?.replicas).toBeGreaterThanOrEqual(1)
    expect(service.expose).toEqual([`${listenPort}`])
  })

  test('no service of a stage is left without its stage', () => {
    const upping = services.filter(([, { command }]) => command?.includes('up '))
    expect(upping.map(([name]) => name)).toEqual(stageNames)
  })

  test('each waits for what it needs, and what is waited for can report that it is healthy', () => {
    for (const [name, service] of services) {
      for (const [needed, condition] of conditionsOf(service)) {
        const { healthcheck, restart, build } = serviceOf(needed)
        const says = build !== undefined || healthcheck !== undefined
        if (condition === 'service_healthy') expect([name, needed, says]).toContain(true)
        if (condition === 'service_completed_successfully') {
          expect([name, needed, restart]).toContain('on-failure:5')
        }
      }
      if (!workerNames.includes(name)) continue
      expect(new Map(conditionsOf(service))).toEqual(
        new Map([
          ['init', 'service_completed_successfully'],
          ['nats', 'service_healthy'],
          ...(name === 'projector' ? [['neo4j', 'service_healthy'] as const] : []),
        ]),
      )
    }
  })

  test('an image reports whether its worker is ready, where the worker listens', () => {
    const dockerfile = textOf('Dockerfile')
    expect(dockerfile).toContain(`'http://127.0.0.1:${listenPort}/readyz'`)
    expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]*\\\n {2}CMD \["node", "--eval", "[^"]+"\]$/m)
    expect(dockerfile).toContain(`CMD ["up", "--listen", "0.0.0.0:${listenPort}"]`)
  })

  test('a worker gets longer to end than it takes to drain', () => {
    const closingMs = 10_000
    const drainMsMax = drainMsDefault + closingMs
    for (const service of [...workerNames.map(serviceOf), embedded.services['warrant']]) {
      expect(Number.parseInt(service?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(
        drainMsMax,
      )
    }
  })

  test('each image has its exact version', () => {
    const bases = [...textOf('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
    const others = services.filter(([, { build }]) => build === undefined)
    const images = [
      ...bases.filter((image) => image !== 'base'),
      ...others.map(([, { image }]) => image),
    ]
    expect(images.length).toBeGreaterThan(3)
    for (const image of images)
      expect(image).toMatch(/^[a-z0-9/]+:v?[0-9]+\.[0-9]+\.[0-9]+(-[a-z-]+)?$/)
  })

  test('what runs our code has no rights that it does not need', () => {
    const ours = services.filter(([, { build }]) => build !== undefined)
    expect(ours.length).toBe(workerNames.length + 1)
    for (const [, service] of [...ours, ...Object.entries(embedded.services)]) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
    expect(textOf('Dockerfile')).toMatch(/^USER node$/m)
  })

  test('what the embedded one writes is on its volume, as the rest cannot be written', () => {
    const { environment, volumes: mounts } = embedded.services['warrant'] ?? {}
    expect(mounts).toEqual(['log:/data'])
    for (const name of ['WARRANT_LOG', 'WARRANT_KEYS']) {
      expect(environment?.[name], name).toMatch(/^\/data\//)
    }
  })

  test('workers reach nothing but the log, and no one but Prometheus reaches them', () => {
    for (const stage of stageNames) expect(serviceOf(stage).networks).toEqual(['log', 'watch'])
    expect(serviceOf('projector').networks).toEqual(['log', 'watch', 'graph'])
    for (const name of ['log', 'watch', 'graph']) {
      expect(compose.networks[name]).toEqual({ internal: true })
    }
    const onGraph = services.filter(([, { networks }]) => networks.includes('graph'))
    expect(onGraph.map(([name]) => name)).toEqual(['neo4j', 'projector'])
    const onWatch = services.filter(([, { networks }]) => networks.includes('watch'))
    expect(onWatch.map(([name]) => name).toSorted()).toEqual(
      ['init', 'prometheus', ...workerNames].toSorted(),
    )
  })
})

describe('files', () => {
  test('each that is mounted is in the tree, or made for the one deployment', () => {
    const mounted = services
      .flatMap(([, { volumes }]) => volumes)
      .filter((volume) => volume.startsWith('.'))
      .map((volume) => volume.split(':')[0] ?? '')
    expect(mounted.length).toBeGreaterThan(4)
    for (const path of mounted) {
      const isMade = path === `${made}nats/server.conf`
      expect([path, isMade || isThere(path)]).toEqual([path, true])
    }
  })

  test('each volume and network that a service names is declared', () => {
    for (const { services, volumes, networks } of [compose, embedded]) {
      for (const service of Object.values(services)) {
        const named = service.volumes.filter((volume) => !volume.startsWith('.'))
        for (const volume of named) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '')
        for (const network of service.networks) expect(networks).toHaveProperty(network)
      }
    }
  })

  test('each that the Dockerfile copies is in the tree and let into the image, and nothing else', () => {
    const copied = [...textOf('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      .flatMap(([, sources = '']) => sources.split(' '))
      .map((path) => path.split('/')[0] ?? '')
    const lines = textOf('.dockerignore').split('\n')
    const letIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(lines).toContain('*')
    expect([...new Set(copied)].toSorted()).toEqual(letIn.toSorted())
    for (const path of copied) expect([path, isThere(path)]).toEqual([path, true])
  })
})

describe('what is made for one deployment', async () => {
  const base = await temporaryFolder()
  // The command as the page on deployment has it.
  const written =
    /^warrant (nats-config (?:.*\\\n)*.*)$/m.exec(textOf('docs/run/deploy.md'))?.[1] ?? ''
  const passwords = /^\(umask 077; .*$/m.exec(textOf('docs/run/deploy.md'))?.[0] ?? 'false'
  const words = written.split(/[\s\\]+/).map((word) => word.replace('$WARRANT_HOME', base))

  test('has every file that is mounted as a secret or as the server’s configuration', async () => {
    const ran = await run(words, { cwd: base })
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    const env = { ...process.env, WARRANT_HOME: base }
    expect(spawnSync('bash', ['-ec', passwords], { env }).status).toBe(0)
    const files = [
      'nats/server.conf',
      ...Object.values(compose.secrets).map(({ file }) => file.slice(made.length)),
    ]
    expect(files.filter((file) => !existsSync(join(base, file)))).toEqual([])
  })

  test('has Neo4j’s password for two, each in a file that no one else may read', () => {
    const text = (name: string): string => readFileSync(join(base, 'neo4j', name), 'utf8').trim()
    expect(text('password')).toMatch(/^[0-9a-f]{48}$/)
    expect(text('auth')).toBe(`neo4j/${text('password')}`)
    for (const name of ['password', 'auth']) {
      expect(statSync(join(base, 'neo4j', name)).mode & 0o777).toBe(0o600)
    }
  })

  test('syncs before it acknowledges, and keeps its store on the volume', () => {
    const config = readFileSync(join(base, 'nats', 'server.conf'), 'utf8')
    expect(config).toContain('sync_interval: always')
    expect(config).toContain('listen: "0.0.0.0:4222"')
    const store = /store_dir: "([^"]+)"/.exec(config)?.[1]
    expect(serviceOf('nats').volumes).toContain(`jetstream:${store}`)
    const monitoring = /http: "0\.0\.0\.0:([0-9]+)"/.exec(config)?.[1]
    expect(JSON.stringify(serviceOf('nats').healthcheck)).toContain(`:${monitoring}/healthz`)
  })

  test.skipIf(natsBinary === null)('is a configuration that a real server accepts', () => {
    const parameters = ['-t', '-c', join(base, 'nats', 'server.conf')]
    const { status, stderr } = spawnSync(natsBinary ?? '', parameters)
    expect(String(stderr)).toContain('is valid')
    expect(status).toBe(0)
  })
})

describe('secrets', () => {
  test('each is a file, made for the one deployment and mounted for one service alone', () => {
    for (const [secret, { file }] of Object.entries(compose.secrets)) {
      const [, ofNeo4j] = /^neo4j-(.+)$/.exec(secret) ?? []
      const path = ofNeo4j === undefined ? `nats/${secret}.nk` : `neo4j/${ofNeo4j}`
      expect(file).toBe(`${made}${path}`)
      const holders = services.filter(([, { secrets }]) => secrets.includes(secret))
      const named = holders.map(([, { environment }]) => environment[variableOf(secret)])
      expect(named).toEqual([`/run/secrets/${secret}`])
    }
  })

  test('none but the operator’s service has the operator’s, and each stage has its own', () => {
    expect(serviceOf('init').secrets).toEqual(['operator'])
    for (const stage of stageNames) expect(serviceOf(stage).secrets).toEqual([stage])
    expect(serviceOf('projector').secrets).toEqual(['projector', 'neo4j-password'])
    expect(serviceOf('neo4j').secrets).toEqual(['neo4j-auth'])
  })

  test('none is a value of the environment, or stands in a command', () => {
    const files = ['docker-compose.yml', `${folder}/embedded.yml`, 'Dockerfile']
    for (const file of files) {
      expect(textOf(file)).not.toMatch(/\bS[UAO][A-Z2-7]{20,}/)
      expect(textOf(file)).not.toMatch(/(PASSWORD|TOKEN|SECRET)(?!__?FILE)[A-Z_]*\s*[:=]/)
    }
  })
})

/** Where the image that is given the secret looks for it. */
function variableOf(secret: string): string {
  if (secret === 'neo4j-auth') return 'NEO4J_AUTH_PATH'
  return secret === 'neo4j-password' ? 'WARRANT_NEO4J_PASSWORD_FILE' : 'WARRANT_NATS_NKEY_FILE'
}
