// What a demo plays: a seed with recorded sessions, how one of them is played, and how the result
// reads. The log, the stages and the fleet are the same for all.
import { join } from 'node:path'
import type { CatalogOperation } from '#schemas/catalog'
import { change } from '#authoring/change'
import { seedFolder } from '#authoring/seed'
import type { Runtime } from '#runtime/engine/runtime'
import type { RunnableStage } from '#runtime/engine/worker'
import { connect } from '#client/connect'
import type { OpensClient } from '#demo/asking'
import type { Keys, Member } from '#demo/members'
import { packageRoot } from '#cli/terminal/opening/package-root'
import type { Line } from '#cli/terminal/line'
import type { PlayedVerdicts } from './compared-verdicts.ts'
import type { Governed } from './print-gateway.ts'
import { withStandIn } from './stand-in.ts'
import type { GatewayTally } from './through-gateway.ts'
import type { Replayed } from './venue.ts'

export interface SeedSigner {
  readonly id: string
  readonly privateKey: string
}

/** Of a console on the log of a demo. */
export interface DemoConsole {
  /** A policy admin of the demo. */
  readonly admin: SeedSigner
  /** Whose reviews are left open. */
  readonly person: string
}

export interface DemoPiece {
  /** What is played one by one, and how many there are. */
  readonly unit: 'conversations' | 'sessions' | 'workers'
  readonly count: number
  /** Absent: those that answer for intents. */
  readonly stages?: readonly RunnableStage[]
  seed(runtime: Runtime): Promise<void>
  begin(runtime: Runtime): Promise<Playing>
  /** Who is who at a console; absent where none can be opened on it. */
  readonly console?: DemoConsole
  /** What was decided so far. */
  readonly verdicts: PlayedVerdicts
  lines(shown: PieceShown): readonly Line[]
  json(): object
  /** Whether all came out as it must; absent where that is only counted. */
  isAsExpected?(): boolean
}

export interface PieceOptions {
  readonly data?: string
  /** The folder of the rules, where a recording is played under others than its seed's. */
  readonly catalog?: string
  /** A file that gets a line for each call. */
  readonly calls?: string
  /** Whether a gateway carries out what is allowed. */
  readonly gateway?: boolean
  /** Whether a few reviews are left to a person at a console. */
  readonly console?: boolean
}

export interface Playing {
  play(index: number, signal: AbortSignal): Promise<void>
  /** What came of the gateway, where there is one. */
  tally(): Promise<GatewayTally | null>
  end(): Promise<void>
}

export interface PieceShown {
  readonly seconds: number
  readonly facts: number
  readonly further: readonly string[]
  readonly interrupted: boolean
  readonly replayed: Replayed | null
  /** What came of the gateway, where there is one. */
  readonly governed: Governed | null
}

/** As many principals as surely fit one change set. */
const operationsMax = 256

export function seedPath(...parts: readonly string[]): string {
  return join(packageRoot(), 'seeds', ...parts)
}

export interface PieceSeed {
  readonly folder: string
  readonly keys: Keys
  /** The principals that the seed lacks. */
  readonly members: readonly Member[]
  readonly operations?: readonly CatalogOperation[]
  readonly gateway: boolean
}

/** Brings in the seed, and then what the recording and the gateway add to its catalog. */
export async function seedWith(
  runtime: Runtime,
  { folder, keys, members, operations = [], gateway }: PieceSeed,
  author: SeedSigner,
): Promise<void> {
  await seedFolder(runtime, folder, { author })
  const { capabilities } = runtime.follower.state.catalog
  const all = [
    ...members.map((member) => putting(member, keys)),
    ...operations,
    ...(gateway ? withStandIn(capabilities.values()) : []),
  ]
  for (let from = 0; from < all.length; from += operationsMax) {
    const some = all.slice(from, from + operationsMax)
    await change(runtime, { kind: 'catalog', operations: some }, author)
  }
}

function putting({ id, roles = [], attributes = {}, owner }: Member, keys: Keys): CatalogOperation {
  const key = keys.get(id)
  const entry = {
    id,
    roles: [...roles],
    attributes,
    keys: key === undefined ? [] : [key.publicKey],
    suspended: false,
    ...(owner !== undefined && { owner }),
  }
  return { op: 'put', collection: 'principals', entry }
}

/** The one among them who signs what the catalog of a demo has. */
export function signerAmong(keys: Keys, id: string): SeedSigner {
  return { id, privateKey: keys.get(id)?.privateKey ?? '' }
}

/** Each principal speaks for itself. */
export function clientsOn(runtime: Runtime, keys: Keys): OpensClient {
  return (as) => {
    const privateKey = keys.get(as)?.privateKey
    return connect({ as, runtime, ...(privateKey !== undefined && { privateKey }) })
  }
}
