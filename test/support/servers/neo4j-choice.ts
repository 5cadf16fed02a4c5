// Which Neo4j the tests run on: one at a URL, else one started by Java from a folder of jars, else
// a container where Docker answers. What is named and does not work is a mistake, and never passed
// over for something else.
import { join } from 'node:path'
import { assert } from '#record/fault'

export type Neo4jChoice =
  | { readonly by: 'url'; readonly url: string; readonly user: string; readonly password: string }
  | { readonly by: 'java'; readonly jars: string }
  | { readonly by: 'container' }
  | { readonly by: 'nothing' }

type Environment = Readonly<Record<string, string | undefined>>

/** What has to be looked at outside. */
export interface Neo4jLooks {
  readonly home: string
  /** Whether the folder holds Neo4j's jars. */
  hasJars(folder: string): boolean
  /** What `java -version` says, or null where there is none. */
  javaVersion(): string | null
  dockerAnswers(): Promise<boolean>
}

/** The version that `.ci/neo4j/pom.xml` names. */
export const neo4jVersion = '5.26.0'
const javaMin = 17

export async function chooseNeo4j(
  environment: Environment,
  looks: Neo4jLooks,
): Promise<Neo4jChoice> {
  const url = given(environment, 'WARRANT_NEO4J_URL')
  if (url !== null) return givenServer(environment, url)
  const named = given(environment, 'WARRANT_NEO4J_HOME')
  if (named !== null) {
    const jars = join(named, 'lib')
    assert(looks.hasJars(jars), 'WARRANT_NEO4J_HOME has the jars of Neo4j in its folder lib')
    assert(isJava(looks), `java is here, from ${javaMin}: WARRANT_NEO4J_HOME needs it`)
    return { by: 'java', jars }
  }
  const jars = join(cacheOf(environment, looks.home), 'warrant-ci', `neo4j-${neo4jVersion}`, 'lib')
  if (looks.hasJars(jars) && isJava(looks)) return { by: 'java', jars }
  if (await looks.dockerAnswers()) return { by: 'container' }
  const isRequired = given(environment, 'WARRANT_NEO4J_REQUIRED') !== null
  assert(!isRequired, 'Neo4j is here with Java, or Docker: it is required')
  return { by: 'nothing' }
}

function givenServer(environment: Environment, url: string): Neo4jChoice {
  const wipe = 'WARRANT_NEO4J_WIPE is 1: tests wipe the whole database at WARRANT_NEO4J_URL'
  assert(given(environment, 'WARRANT_NEO4J_WIPE') === '1', wipe)
  const password = given(environment, 'WARRANT_NEO4J_PASSWORD')
  assert(password !== null, 'WARRANT_NEO4J_PASSWORD is given beside WARRANT_NEO4J_URL')
  return { by: 'url', url, user: given(environment, 'WARRANT_NEO4J_USER') ?? 'neo4j', password }
}

function cacheOf(environment: Environment, home: string): string {
  return given(environment, 'XDG_CACHE_HOME') ?? join(home, '.cache')
}

function isJava(looks: Neo4jLooks): boolean {
  const major = /version "([0-9]+)/.exec(looks.javaVersion() ?? '')?.[1]
  return major !== undefined && Number(major) >= javaMin
}

function given(environment: Environment, name: string): string | null {
  const value = environment[name]
  return value === undefined || value === '' ? null : value
}
