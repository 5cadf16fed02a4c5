// Coding agents under contracts as a piece to play: twenty tasks with scripted workers, each row of
// which has to come out as its data says.
import { change } from '#authoring/change'
import { allStages } from '#workers/all-stages'
import { reinstate } from '#client/people/reinstate'
import type { AnswersReview } from '#demo/asking'
import { newKeys } from '#demo/members'
import { leads, workAdmin, workMembers, workOwner, workPlanner } from '#demo/work-cast'
import { playWorker, type Verified, type WorkStage } from '#demo/work-player'
import {
  WorkTask,
  type SeenWorker,
  type WorkAttempt,
  type FoundWork,
  type SeenStanding,
  type SeenTask,
  type Worker,
  type DemoTool,
} from '#demo/work-task'
import { usage } from '#cli/terminal/failure'
import {
  clientsOn,
  seedPath,
  seedWith,
  signerAmong,
  type DemoPiece,
  type PieceOptions,
  type PieceShown,
} from '../piece.ts'
import { findPrograms, type TestPrograms } from './test-programs.ts'
import { contractOf, openWorkshop, type Workshop } from './workshop.ts'
import type { GateResult } from '#work/verification/gates'
import { earnedLevel } from '#work/contracts/standings'
import { readData } from '#record/event'
import { nameOf, token } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'
import type { VerificationData } from '#schemas/work/facts'
import { tableBlocks } from '#cli/terminal/table'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import { replayedLines } from '../print.ts'
import { join } from 'node:path'
import { readSteps } from '../recording.ts'
import { replayStanding, standingAlpha, standingStart } from '#rules/catalog/earned-standing'
import type { CatalogOperation } from '#schemas/catalog'
import type { WorkRules } from '#schemas/work/settings'

// The work demo's result as a person reads it: a row for each task, and what is not as expected.

interface WorkShown extends PieceShown {
  readonly result: WorkResult
}

function workLines(shown: WorkShown): readonly Line[] {
  const { result, seconds, facts, interrupted, replayed, further } = shown
  const { rows, played, asExpected, different } = result
  const head = interrupted
    ? `interrupted: what was played so far of ${rows.length} tasks`
    : `${rows.length} tasks of coding agents, honest, careless and cheating`
  return [
    '',
    toned('strong', head),
    `${played} tasks played in ${seconds.toFixed(1)} s, ${facts} facts in the log`,
    isolationLine(result),
    '',
    ...tableOf(result),
    '',
    toned(
      different === 0 ? 'good' : 'bad',
      `${asExpected} of ${asExpected + different} rows as expected`,
    ),
    ...(interrupted ? [] : rows.flatMap(unplayedLine)),
    ...[...rows, ...result.reinstated].flatMap(differingLines),
    '',
    ...(replayed === null ? [] : [...replayedLines(replayed), '']),
    'Look further:',
    ...further.map((line) => (line === '' ? line : `  ${line}`)),
  ]
}

function isolationLine({ isolation }: WorkResult): Line {
  return isolation === 'namespaces'
    ? 'what agents wrote was run in namespaces of its own'
    : toned('warn', 'no namespaces here: what agents wrote was run as processes of this user')
}

const head = ['agent', 'task', 'how', 'claimed', 'found', 'score', 'standing', 'level', 'next']

/** A line for each attempt, of which the last has what came of all. */
function tableOf({ rows, reinstated }: WorkResult): readonly Line[] {
  const lines = [...rows.flatMap(taskLines), ...reinstated.map(reinstatedLine)]
  const { top, blocks } = tableBlocks(
    head,
    lines.map(({ cells }) => cells),
  )
  return [
    ...top,
    ...blocks.flatMap((block, index) => {
      const { tone = 'plain' } = lines[index] ?? {}
      return block.map((line) => toned(tone, line))
    }),
  ]
}

interface TableLine {
  readonly tone: Tone
  readonly cells: readonly string[]
}

function toneOf({ seen, differing }: WorkRow | ReinstatedRow): Tone {
  if (differing.length > 0) return 'bad'
  return seen === null ? 'dim' : 'plain'
}

function taskLines(row: WorkRow): readonly TableLine[] {
  const { agent, task, seen } = row
  const { attempts, next, way } = task
  const tone = toneOf(row)
  if (seen === null) return [{ tone, cells: [agent, task.task, way, '', 'not played'] }]
  const score = seen.score === null ? '' : String(seen.score)
  const last = [score, ...standingCells(seen), `${next}: ${seen.next}`]
  return attempts.map(({ report }, index) => {
    const first = index === 0 ? [agent, task.task, way] : ['', '', '']
    const found = foundText(seen.found[index] ?? null)
    const isLast = index === attempts.length - 1
    return { tone, cells: [...first, report.status, found, ...(isLast ? last : [])] }
  })
}

function reinstatedLine(row: ReinstatedRow): TableLine {
  const { agent, next, seen } = row
  const cells = [agent, '', 'person reinstates', '']
  const tone = toneOf(row)
  if (seen === null) return { tone, cells: [...cells, 'not played'] }
  return { tone, cells: [...cells, '', '', ...standingCells(seen), `${next}: ${seen.next}`] }
}

function standingCells({ before, after, level }: SeenStanding): readonly string[] {
  return [`${before.toFixed(2)} → ${after.toFixed(2)}`, level]
}

function foundText(found: FoundWork | null): string {
  if (found === null) return 'not counted'
  const { verification, gate } = found
  return gate === undefined ? verification : `${verification}: ${gate}`
}

function unplayedLine({ agent, task, seen }: WorkRow): readonly Line[] {
  if (seen !== null) return []
  const { tests = 'node' } = task
  const why = `\`${tests}\` cannot be run here as a gate runs it`
  return [toned('warn', `${agent}: ${task.task} could not be verified, since ${why}`)]
}

function differingLines(row: WorkRow | ReinstatedRow): readonly Line[] {
  const { agent, seen, expected, differing } = row
  const task = 'task' in row ? row.task.task : 'reinstatement'
  const values = (of: SeenTask | SeenStanding | null) => new Map(Object.entries(of ?? {}))
  return differing.map((name) => {
    const [is, be] = [seen, expected].map((of) => JSON.stringify(values(of).get(name)))
    return toned('bad', `${agent}: ${task}: ${name} is ${is}, expected ${be}`)
  })
}

// What an onlooker of the work demo reads from its log: what was found of each attempt, and what
// the standing of a worker came to.

const waitMs = 120_000

function onlooker({
  follower,
  log,
  place,
  timer,
}: Runtime): Pick<WorkStage, 'lookedAt' | 'standing' | 'verified'> {
  return {
    async lookedAt(claim, contract, attempt) {
      await follower.reached(claim.position)
      const isLookedAt = (): boolean => {
        return (follower.state.contracts.get(contract)?.past.length ?? attempt) >= attempt
      }
      await follower.until(isLookedAt, timer, waitMs)
    },
    async verified(contract, attempt) {
      const name = nameOf(place, 'verification', contract, attempt)
      const data = readData('verification', await log.get(name))
      return data === null ? null : verifiedBy(data)
    },
    standing(agent) {
      const { catalog, standings } = follower.state
      return earnedLevel(catalog, standings.get(token(agent)))
    },
  }
}

function verifiedBy(data: VerificationData): Verified {
  const { ended } = data
  const found = foundOf(data)
  if (ended === null) return { found, ended }
  const { rule, standing } = ended
  return { found, ended: { rule, score: 'alpha' in standing ? ended.score : null } }
}

/** What gates found, to be compared with what is expected. */
export function foundOf(of: {
  readonly verification: FoundWork['verification']
  readonly gates: readonly (Pick<GateResult, 'gate' | 'outcome'> & {
    readonly code?: string | undefined
    readonly findings: readonly { readonly code: string }[]
  })[]
}): FoundWork {
  const { verification, gates } = of
  const failed = gates.find(({ outcome }) => outcome === 'fail')
  if (failed === undefined) return { verification }
  const why = failed.code ?? failed.findings[0]?.code ?? ''
  return { verification, gate: failed.gate, why }
}

export async function workPiece({ data, gateway }: PieceOptions): Promise<DemoPiece> {
  if (data !== undefined) throw usage('--seed work has tasks of its own: leave out --data')
  if (gateway === true) throw usage('--seed work executes nothing: leave out --gateway')
  const folder = seedPath('work')
  const workers = await readWorkers(folder)
  const agents = workers.map(({ agent }) => agent)
  const keys = newKeys([workAdmin, workPlanner, workOwner, ...leads])
  const programs = await findPrograms()
  const author = signerAmong(keys, workAdmin)
  const seen = new Map<string, SeenWorker>()
  const result = () => workResult(workers, seen, programs.isolation)
  // As many leads as are needed, so that what was asked can be counted.
  const answer: AnswersReview = async (client, intent, { needed }) => {
    for (const confirmer of leads.slice(0, needed)) {
      const { privateKey } = signerAmong(keys, confirmer)
      await client.decide({ intent, confirmer, privateKey, answers: true })
    }
    return true
  }
  return {
    unit: 'workers',
    count: workers.length,
    stages: allStages,
    verdicts: new Map(),
    seed(runtime) {
      const members = workMembers(agents)
      return seedWith(runtime, { folder, keys, members, gateway: false }, author)
    },
    async begin(runtime) {
      const workshop = await openWorkshop(agents)
      try {
        const { work } = runtime.follower.state.catalog
        const operations = [workOperation(work, { workers, workshop, programs })]
        await change(runtime, { kind: 'catalog', operations }, author)
      } catch (error) {
        await workshop.close()
        throw error
      }
      const stage = {
        ...onlooker(runtime),
        open: clientsOn(runtime, keys),
        answer,
        contractOf: (task: WorkTask) => contractOf(task, programs),
        write: (agent: string, attempt: WorkAttempt) => workshop.write(agent, attempt),
        reinstate(agent: string) {
          const reason = 'the tests are out of its reach from now on'
          const { id: by, privateKey } = author
          return reinstate(runtime, { agent, reason, by, privateKey })
        },
      }
      return {
        async play(index, signal) {
          const worker = workers[index]
          if (worker !== undefined) seen.set(worker.agent, await playWorker(stage, worker, signal))
        },
        tally: () => Promise.resolve(null),
        end: () => workshop.close(),
      }
    },
    isAsExpected: () => result().different === 0,
    lines: (shown) => workLines({ ...shown, result: result() }),
    json: () => workJson(result()),
  }
}

// What the work demo came to over all its workers, as it is printed and given as JSON.

interface WorkResult {
  readonly isolation: TestPrograms['isolation']
  readonly rows: readonly WorkRow[]
  readonly reinstated: readonly ReinstatedRow[]
  /** Tasks that were played. */
  readonly played: number
  /** Rows in which all is as expected, and in which something is not. */
  readonly asExpected: number
  readonly different: number
}

/** `seen`: by agent. */
export function workResult(
  workers: readonly Worker[],
  seen: ReadonlyMap<string, SeenWorker>,
  isolation: TestPrograms['isolation'],
): WorkResult {
  const unseen: SeenWorker = { tasks: new Map(), reinstated: null }
  const all = workers.map((worker) => workerRows(worker, seen.get(worker.agent) ?? unseen))
  const rows = all.flatMap(({ tasks }) => tasks)
  const reinstated = all.flatMap((one) => (one.reinstated === null ? [] : [one.reinstated]))
  const seenRows = [...rows, ...reinstated].filter((row) => row.seen !== null)
  const different = seenRows.filter(({ differing }) => differing.length > 0).length
  return {
    isolation,
    rows,
    reinstated,
    played: rows.filter((row) => row.seen !== null).length,
    asExpected: seenRows.length - different,
    different,
  }
}

export function workJson({ rows, reinstated, ...counts }: WorkResult): object {
  return {
    ...counts,
    rows: rows.map(({ agent, task, seen, expected, differing }) => {
      const { task: name, way, attempts, next: asksFor } = task
      const claimed = attempts.map(({ report }) => report.status)
      return { task: name, agent, way, claimed, asksFor, seen, expected, differing }
    }),
    reinstated,
  }
}

// Who works in the work demo: one honest worker, one careless, and a cheat for each way to cheat,
// with twenty tasks in all. Each cheat is an agent of its own, so that its standing is its own.

/** Throws a Fault `file_unreadable` or `line_invalid` for a folder that has no tasks. */
export async function readWorkers(folder: string): Promise<readonly Worker[]> {
  const tasks = new Map<string, WorkTask[]>()
  for await (const task of readSteps(join(folder, 'tasks.ndjson'), WorkTask)) {
    const theirs = tasks.get(task.agent)
    if (theirs === undefined) tasks.set(task.agent, [task])
    else theirs.push(task)
  }
  return [...tasks].map(([agent, all]) => {
    return { agent, tasks: all, reinstated: all.at(-1)?.reinstated }
  })
}

// What came of the work demo, a row for each task and each reinstatement, held against what is
// expected. Standings are compared with those that the expected scores come to.

export interface WorkRow {
  readonly agent: string
  readonly task: WorkTask
  /** Null: it was not played. */
  readonly seen: SeenTask | null
  readonly expected: SeenTask
  readonly differing: readonly string[]
}

interface ReinstatedRow {
  readonly agent: string
  /** What it asks for. */
  readonly next: DemoTool
  readonly seen: SeenStanding | null
  readonly expected: SeenStanding
  readonly differing: readonly string[]
}

interface WorkerRows {
  readonly tasks: readonly WorkRow[]
  readonly reinstated: ReinstatedRow | null
}

/** What a reinstatement sets. */
const reinstatedTo = 0.3

/** Where a task was not played, later levels of its agent are others, and are not compared. */
export function workerRows({ agent, tasks, reinstated }: Worker, seen: SeenWorker): WorkerRows {
  let standing = standingStart
  const firstUnseen = tasks.findIndex(({ task }) => !seen.tasks.has(task))
  const rows = tasks.map((task, index): WorkRow => {
    const one = seen.tasks.get(task.task) ?? null
    const expected = expectedOf(task, standing)
    if (one === null) return { agent, task, seen: null, expected, differing: [] }
    standing = expected.after
    const isWhole = firstUnseen === -1 || index < firstUnseen
    return { agent, task, seen: one, expected, differing: differencesOf(one, expected, isWhole) }
  })
  if (reinstated === undefined) return { tasks: rows, reinstated: null }
  const expected = { ...reinstated.expected, before: standing, after: reinstatedTo }
  const one = firstUnseen === -1 ? seen.reinstated : null
  const others = one === null ? [] : differencesOf(one, expected, true)
  return {
    tasks: rows,
    reinstated: { agent, next: reinstated.next, seen: one, expected, differing: others },
  }
}

function expectedOf({ attempts, expected }: WorkTask, before: number): SeenTask {
  const scores = [expected.score]
  const [step] = replayStanding({ alpha: standingAlpha, start: before, scores })
  const found = attempts.map((attempt) => attempt.found)
  return { ...expected, found, before, after: step?.after ?? before }
}

function differencesOf(
  seen: SeenStanding,
  expected: SeenStanding,
  isWhole: boolean,
): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(seen))
  return Object.entries(expected)
    .filter(([name]) => isWhole || (name !== 'level' && name !== 'next'))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(values.get(name)))
    .map(([name]) => name)
}

// What the work demo adds to the settings of its catalog: the folder of each worker, and how
// programs are held here.

/** What the catalog says of work, with the folder of each worker. */
export function workOperation(
  work: WorkRules,
  {
    workers,
    workshop,
    programs,
  }: {
    readonly workers: readonly Worker[]
    readonly workshop: Pick<Workshop, 'folderOf'>
    readonly programs: Pick<TestPrograms, 'isolation' | 'readable'>
  },
): CatalogOperation {
  const readable = [...programs.readable]
  const workspaces = workers.map(({ agent }) => {
    return { id: agent, folder: workshop.folderOf(agent), readable }
  })
  const isProcess = programs.isolation === 'process'
  const value = { ...work, workspaces, ...(isProcess && { isolation: 'process' as const }) }
  return { op: 'set', key: 'work', value }
}
