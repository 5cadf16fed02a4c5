// A connection to Neo4j: the only place that knows the driver. It must never know what a graph is;
// every error of the driver leaves here as a fault, and no secret ever does.
import neo4j, { Neo4jError, type Driver, type ManagedTransaction, type Session } from 'neo4j-driver'
import type { Json, JsonMap } from '#record/canonical'
import { Fault } from '#record/fault'

export interface Neo4jAccess {
  /** `bolt://host:port`, or `neo4j://host:port` for a cluster; with `+s` encrypted. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** The one that is the user's home, unless it is named. */
  readonly database?: string
  /** The file of the authority that the server's certificate must be by; it encrypts. */
  readonly ca?: string
}

/**
 * What a query returned under its names: texts, numbers, booleans, lists and maps of them. What was
 * stored as a fraction and is whole comes as `{float}`, and a moment as `{datetime}`.
 */
export type CypherRow = JsonMap

/**
 * Asks one query within a transaction. Whole numbers are given as integers and come as numbers. All
 * rows come at once: anyone who reads much asks for it in pages.
 */
export interface RunCypher {
  (cypher: string, params?: Readonly<Record<string, unknown>>): Promise<readonly CypherRow[]>
}

const connectMsMax = 5_000
const retryMsMax = 10_000
/** A connection that was idle for longer is tried before it is used. */
const idleMsMax = 30_000
const connectionsMax = 16

export class Neo4jLink {
  readonly #driver: Driver
  readonly #session: () => Session

  private constructor(driver: Driver, database: string | undefined) {
    this.#driver = driver
    // A read through this link sees what was written through it, on whichever server it lands.
    const bookmarkManager = neo4j.bookmarkManager()
    this.#session = () =>
      driver.session({ bookmarkManager, ...(database !== undefined && { database }) })
  }

  /** Throws a Fault where no server answers, or where it refuses the user. */
  static async open(access: Neo4jAccess): Promise<Neo4jLink> {
    const driver = driverOf(access)
    try {
      const { database } = access
      await driver.getServerInfo(database === undefined ? {} : { database })
      return new Neo4jLink(driver, database)
    } catch (error) {
      await driver.close()
      throw faultOf(error)
    }
  }

  /** One transaction that changes nothing. What is transient is tried again, from the start. */
  async read<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.#inSession((session) => session.executeRead((step) => work(runOf(step))))
  }

  /** One transaction, whole or not at all. What is transient is tried again, from the start. */
  async write<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.#inSession((session) => session.executeWrite((step) => work(runOf(step))))
  }

  /**
   * One query as a transaction of its own, on the leader; the quickest, and what constraints and
   * indexes are made by. What is transient is not tried again.
   */
  readonly auto: RunCypher = (cypher, params = {}) =>
    this.#inSession(async (session) => rowsOf(await session.run(cypher, withIntegers(params))))

  async close(): Promise<void> {
    await this.#driver.close()
  }

  async #inSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#session()
    try {
      return await work(session)
    } catch (error) {
      throw faultOf(error)
    } finally {
      await session.close()
    }
  }
}

function driverOf({ url, user, password, ca }: Neo4jAccess): Driver {
  if (url.includes('@')) {
    const message = 'the address of Neo4j holds a user or a password: give them apart'
    throw new Fault('neo4j_address_invalid', message)
  }
  try {
    return neo4j.driver(url, neo4j.auth.basic(user, password), {
      connectionTimeout: connectMsMax,
      connectionAcquisitionTimeout: 2 * connectMsMax,
      connectionLivenessCheckTimeout: idleMsMax,
      maxTransactionRetryTime: retryMsMax,
      maxConnectionPoolSize: connectionsMax,
      // One answer to one question, however many rows it has.
      fetchSize: -1,
      telemetryDisabled: true,
      notificationFilter: { minimumSeverityLevel: 'OFF' },
      userAgent: 'warrant',
      ...(ca !== undefined && {
        encrypted: 'ENCRYPTION_ON',
        trust: 'TRUST_CUSTOM_CA_SIGNED_CERTIFICATES',
        trustedCertificates: [ca],
      }),
    })
  } catch (cause) {
    const how = 'bolt://host:port or neo4j://host:port; a certificate authority goes without +s'
    const message = `the address of Neo4j, \`${url}\`, cannot be used: give ${how}`
    throw new Fault('neo4j_address_invalid', message, { cause })
  }
}

function runOf(step: ManagedTransaction): RunCypher {
  return async (cypher, params = {}) => rowsOf(await step.run(cypher, withIntegers(params)))
}

function rowsOf(result: {
  readonly records: readonly { toObject(): object }[]
}): readonly CypherRow[] {
  return result.records.map((record) => {
    const row = Object.entries(record.toObject())
    return Object.fromEntries(row.map(([name, value]) => [name, plainOf(value)]))
  })
}

/**
 * Whole numbers come as numbers. A fraction that is whole is another value to the database, and a
 * moment another than its text: both keep their type.
 */
function plainOf(value: unknown): Json {
  if (typeof value === 'number') {
    const isFraction = Number.isFinite(value) && !Number.isInteger(value)
    return isFraction ? value : { float: String(value) }
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value !== 'object') return typeof value
  if (neo4j.isInt(value)) {
    return value.inSafeRange() ? value.toNumber() : { integer: value.toString() }
  }
  if (neo4j.isDateTime(value)) return { datetime: value.toString() }
  if (Array.isArray(value)) return value.map(plainOf)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainOf(each)]))
}

/** JavaScript has one kind of number; what is whole is meant as an integer here, at any depth. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value
  if (Array.isArray(value)) return value.map((each) => withIntegers(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withIntegers(each)]))
}

const unreachable = ['ServiceUnavailable', 'SessionExpired']
const constraintRefused = [
  'Neo.ClientError.Schema.ConstraintValidationFailed',
  // It is called an error of the database, and trying again does not help.
  'Neo.DatabaseError.Schema.ConstraintCreationFailed',
]
const leaderGone = [
  'Neo.ClientError.Cluster.NotALeader',
  'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase',
]

/** The driver's words name servers and queries, and never a password. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof Neo4jError)) return error
  const { code, message, retryable } = error
  const options = { cause: error }
  if (unreachable.includes(code)) {
    return new Fault('neo4j_unreachable', `no Neo4j answers: ${oneLine(message)}`, options)
  }
  if (code.startsWith('Neo.ClientError.Security.') && !retryable) {
    const how = 'give the user and the password that the server knows'
    return new Fault('neo4j_refused', `Neo4j refuses this user: ${how}`, options)
  }
  const isPassing = retryable || leaderGone.includes(code) || code.startsWith('Neo.DatabaseError.')
  const said = `Neo4j answers \`${code}\`: ${oneLine(message)}`
  if (constraintRefused.includes(code)) {
    return new Fault('neo4j_constraint', said, options)
  }
  if (isPassing) return new Fault('neo4j_unavailable', said, options)
  return new Fault('neo4j_query_refused', said, options)
}

const messageLengthMax = 400

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, messageLengthMax)
}
