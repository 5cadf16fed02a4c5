// One line of `hook check`: a command of a shell, the concepts that it stands for, and what the
// rules of the seed make of them. They are asked as they would be in a log.
import { join } from 'node:path'
import { z } from 'zod'
import { readShell } from '#judging/parser/parse'
import type { Catalog } from '#rules/catalog/catalog'
import type { Graph } from '#knowledge/graph/revision'
import { Fault } from '#record/fault'
import type { Judgement } from '#rules/chain/judge'
import { firstProblem } from '#record/problem'
import { conceptsOfCommand } from '#shell/concepts'
import type { ShellTable } from '#shell/surroundings'
import { judgeLine, loadJudging, type OfflineBase } from '#cli/offline/decide'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { judgeLines } from '#cli/terminal/judge-lines'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { ownTables } from './own-tables.ts'
import { readShellTable } from '#judging/shell-seed'

const lineBytesMax = 1024 * 1024

/** `hook check`: the exit code. */
export async function checkCommands(
  file: string | undefined,
  options: { readonly seed?: string; readonly add?: string },
): Promise<number> {
  const seed = await openShellSeed(options.seed, options.add)
  return judgeLines(file, { lineBytesMax, answer: (line) => checkLine(line, seed) })
}

export interface ShellSeed {
  readonly graph: Graph
  readonly catalog: Catalog
  readonly table: ShellTable
}

/**
 * The seed of that folder, or the one that is shipped, with the commands of another folder laid
 * over it. Throws a Fault where either is not sound.
 */
export async function openShellSeed(folder?: string, added?: string): Promise<ShellSeed> {
  const at = folder ?? join(packageRoot(), 'seeds', 'shell')
  const graph = await readGraph(join(at, 'graph.json'))
  const catalog = await readCatalog(join(at, 'catalog.json'))
  if (!catalog.capabilities.has(tool) || !catalog.principals.has(agent)) {
    throw new Fault('table_invalid', `\`${at}\`: its catalog needs \`${tool}\` and \`${agent}\``)
  }
  await loadJudging(catalog)
  return { graph, catalog, table: await readShellTable(at, graph, ownTables(added)) }
}

const tool = 'shell.run'
const agent = 'coding-agent'

const CheckLine = z.strictObject({
  command: z.string(),
  cwd: z.string().max(4096).nullish(),
  root: z.string().max(4096).nullish(),
})

export interface CheckedCommand {
  readonly outcome: 'allow' | 'ask' | 'deny'
  /** Those of the seed, sorted. */
  readonly concepts: readonly string[]
  /** The name of the condition that decides, else the code of the reason; absent where allowed. */
  readonly why?: string
}

/** The answer to one line. */
export function checkLine(line: unknown, seed: ShellSeed): CheckedCommand | LineRefusal {
  const parsed = CheckLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { command, cwd, root } = parsed.data
  const by = { read: readShell, table: seed.table }
  const asked = { command, cwd: cwd ?? undefined, root: root ?? undefined }
  const concepts = conceptsOfCommand(asked, by)
  return { ...judgedConcepts({ command, cwd: cwd ?? undefined, concepts }, seed) }
}

interface Judged {
  readonly command: string
  readonly cwd: string | undefined
  readonly concepts: readonly string[]
}

function judgedConcepts(
  { command, cwd, concepts }: Judged,
  base: OfflineBase,
): CheckedCommand | LineRefusal {
  const args = { command, ...(cwd !== undefined && { cwd }) }
  const asked = judgeLine({ principal: agent, tool, request: { args, concepts } }, base)
  if ('error' in asked) return asked
  const { outcome, reasons, questions } = asked.judgement
  if (outcome === 'allow') return { outcome, concepts }
  const why = outcome === 'deny' ? decidingReason(reasons) : questions.map(decidingRule)[0]
  return {
    outcome: outcome === 'deny' ? 'deny' : 'ask',
    concepts,
    ...(why !== undefined && { why }),
  }
}

/** A condition is known by its name, another rule by its code. */
function decidingReason(reasons: Judgement['reasons']): string | undefined {
  const [first] = reasons
  const rule = z.object({ rule: z.string() }).safeParse(first?.params)
  return rule.success ? rule.data.rule : first?.code
}

function decidingRule(question: Judgement['questions'][number]): string {
  return 'rule' in question ? (question.rule ?? question.kind) : question.kind
}
