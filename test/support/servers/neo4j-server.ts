// Real Neo4j servers for tests, started by Java or as a container. Where there is neither, those
// tests are skipped, and the run reports it at its end; with a URL, so are those that must start
// and end a server.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { textOf } from '#neo4j/driver/held'
import { Neo4jLink, type Neo4jAccess } from '#neo4j/driver/link'
import { assert } from '#record/fault'
import { chooseNeo4j, neo4jVersion } from './neo4j-choice.ts'
import { runFolder } from '../vitest/run-folder.ts'
import { dockerAnswers } from './docker.ts'
import { freePort } from './nats-server.ts'
import {
  runNeo4jContainer,
  type Neo4jProcess,
  type Neo4jStart,
  type Pace,
} from './neo4j-container.ts'

const choice = await chooseNeo4j(process.env, {
  home: homedir(),
  hasJars: (folder) => existsSync(join(folder, `neo4j-${neo4jVersion}.jar`)),
  javaVersion: () => {
    const { status, stderr } = spawnSync('java', ['-version'])
    return status === 0 ? stderr.toString() : null
  },
  dockerAnswers,
})

/** Whether a test can start servers and end them. */
export const canStartNeo4j: boolean = choice.by === 'java' || choice.by === 'container'

/** Whether there is any server to test on. CI demands one with `WARRANT_NEO4J_REQUIRED`. */
export const hasNeo4j: boolean = choice.by !== 'nothing'

if (hasNeo4j && !canStartNeo4j) {
  process.stderr.write('tests WIPE the database at WARRANT_NEO4J_URL\n')
}

export interface Neo4jServer {
  readonly access: Neo4jAccess
  /** As a power failure ends it. */
  kill(): Promise<void>
  /** Starts again on the same port and folder. */
  start(): Promise<void>
  /** Ends it and removes its folder. */
  dispose(): Promise<void>
}

export interface Neo4jServerOptions {
  readonly pace?: Pace
  /** Where its own folder is made. */
  readonly in?: string
}

/** Starts a server on a free port with a password of its own, and waits until it answers. */
export async function startNeo4j(options: Neo4jServerOptions = {}): Promise<Neo4jServer> {
  const { pace = 'soon', in: parent = tmpdir() } = options
  const folder = mkdtempSync(join(parent, 'neo4j-'))
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  let running: Neo4jProcess | null = null
  const start = async (): Promise<void> => {
    assert(running === null, 'it is not running')
    running = await run({ folder, port, password, pace })
  }
  const kill = async (): Promise<void> => {
    const ending = running
    running = null
    await ending?.end()
  }
  await start()
  return {
    access: { url: `bolt://127.0.0.1:${port}`, user: 'neo4j', password },
    start,
    kill,
    dispose: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A server that a test uses alone, empty, and does not start or end. */
export interface SharedNeo4j {
  readonly access: Neo4jAccess
  dispose(): Promise<void>
}

/** The one of this process: it runs its files one after the other, each on an empty database. */
let shared: Promise<Neo4jServer> | null = null

/**
 * One for all files that a process runs: Community has one database, so two files would disturb
 * each other on it at once. It ends with the process. With `WARRANT_NEO4J_URL` there is one for
 * all: run the files that need it one at a time (`--no-file-parallelism`). A container would be
 * left over, so each file starts one of its own.
 */
export async function shareNeo4j(): Promise<SharedNeo4j> {
  if (choice.by === 'container') return startNeo4j()
  if (choice.by !== 'url') shared ??= startNeo4j({ in: runFolder() })
  const access = choice.by === 'url' ? choice : (await shared)?.access
  assert(access !== undefined, 'there is a server')
  const { url, user, password } = access
  const link = await Neo4jLink.open({ url, user, password })
  await wipeNeo4j(link)
  await link.close()
  return { access: { url, user, password }, dispose: async () => undefined }
}

/** Takes everything out of the database, its constraints and indexes too. */
export async function wipeNeo4j(link: Neo4jLink): Promise<void> {
  await link.auto('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS')
  for (const { name } of await link.auto('SHOW CONSTRAINTS YIELD name')) {
    await link.auto(`DROP CONSTRAINT \`${textOf(name)}\` IF EXISTS`)
  }
  for (const { name } of await link.auto("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'")) {
    await link.auto(`DROP INDEX \`${textOf(name)}\` IF EXISTS`)
  }
}

async function run(start: Neo4jStart): Promise<Neo4jProcess> {
  if (choice.by === 'java') return runJava(choice.jars, start)
  assert(choice.by === 'container', 'there is a Neo4j to start, or Docker')
  return runNeo4jContainer(start)
}

const program = fileURLToPath(new URL('../../../.ci/neo4j/Neo4j.java', import.meta.url))
const machines = {
  soon: ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  quick: ['-Xmx1g'],
} as const

async function runJava(jars: string, start: Neo4jStart): Promise<Neo4jProcess> {
  const { folder, port, password, pace } = start
  const parameters = [...machines[pace], '-cp', join(jars, '*'), program, folder, `${port}`]
  const child = spawn('java', parameters, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
  const exit = once(child, 'exit')
  // The password is no parameter, which everyone on the machine can read. The pipe stays open: when
  // this process ends, however it ends, so does the server.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${password}\n`)
  const lines = createInterface({ input: child.stdout })
  const ready = await Promise.race([once(lines, 'line').then(() => true), exit.then(() => false)])
  assert(ready, `Neo4j started: ${said}`)
  return {
    end: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}
