// What a hook is answered where no log is: by the rules of the shipped seeds, or of a folder. Then
// no one can be asked but the host's own user, and that only where the catalog lets it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { unreadDecision } from '#shell/hooks/hook-answer'
import type { HookDecision, Host } from '#shell/hooks/hosts/host'
import { readHookEvent } from '#shell/hooks/hook-event'
import type { Catalog } from '#rules/catalog/catalog'
import { reasonText } from '#present/reason-text'
import { inOneSentence } from '#present/wording'
import { declaredIn, judgeHere } from '#judging/judging'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgeLine, loadJudging } from '#cli/offline/decide'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { ownTables } from './own-tables.ts'

const agent = 'coding-agent'

export interface OfflineRules {
  /** A folder with a `catalog.json` in place of the shipped ones. */
  readonly seed?: string | undefined
  /** A folder with tables of commands, laid over those of the seed. */
  readonly add?: string | undefined
  /** The folder of the project; the one of the call where no one else says it. */
  readonly root?: string | null
}

/** The decision; `done` or `prompt` where nothing is asked. */
export async function answerOffline(
  host: Host,
  given: unknown,
  { seed, add, root }: OfflineRules = {},
): Promise<HookDecision | 'done' | 'prompt'> {
  const read = readHookEvent(host, given)
  if ('unread' in read) return unreadDecision(host, read.unread)
  const { event } = read
  if (event.is !== 'call') return event.is
  const folders = shippedHookSeeds(packageRoot())
  const tables = await readHookTables(folders, ownTables(add))
  const catalog =
    seed === undefined
      ? await readCatalog(join(folders.shell, 'catalog.json'), join(folders.hooks, 'catalog.json'))
      : await readCatalog(join(seed, 'catalog.json'))
  const graph = await readGraph(join(folders.shell, 'graph.json'))
  const judge = judgeHere({ tables, key: randomBytes(32), readable: [] })
  const { tool, args, concepts } = await judge.judged({
    principal: agent,
    host: host.name,
    // No one remembers where the session began.
    call: { ...event, root: event.root ?? root ?? event.cwd },
    declared: declaredIn(catalog.capabilities, tables),
    isAhead: true,
  })
  const line = { principal: agent, tool, request: { args, concepts } }
  await loadJudging(catalog)
  const judged = judgeLine(line, { catalog, graph })
  if ('error' in judged) {
    const reason = `warrant: blocked, since it could not be judged: ${judged.error.message}`
    return { outcome: 'deny', reason }
  }
  const { outcome, reasons, questions } = judged.judgement
  if (outcome === 'allow') return { outcome, reason: '' }
  if (outcome === 'deny') return { outcome, reason: deniedText(reasons.map(reasonText)) }
  const asked = questions.map((one) => ('message' in one ? one.message : undefined) ?? one.kind)
  const why = `warrant asks: ${asked.join(' ')}`
  const names = questions.map((one) => ('confirmation' in one ? one.confirmation : undefined))
  const own = catalog.capabilities.get(tool)?.confirmation
  if (event.canAsk && names.every((name) => isAskedInHost(catalog, name ?? own))) {
    return { outcome: 'ask', reason: why }
  }
  return { outcome: 'deny', reason: `${inOneSentence([why])} ${offlineFix(host)}` }
}

/** For the agent, which can do nothing of it, and for the person to whom it reports. */
function offlineFix({ name }: Host): string {
  return (
    'This hook has no log, so no one can be asked and the call stays blocked: do not make it ' +
    'again; do what only reads, and report the rest. The person you work for can change that: ' +
    `\`warrant init --for ${name}\` in the folder of the project.`
  )
}

function isAskedInHost({ confirmations }: Catalog, id: string | undefined): boolean {
  return id !== undefined && confirmations.get(id)?.ask === 'host'
}

function deniedText(reasons: readonly string[]): string {
  const never = 'Do not try to reach the same otherwise.'
  return `warrant: the call is refused: ${inOneSentence(reasons)} ${never}`
}
