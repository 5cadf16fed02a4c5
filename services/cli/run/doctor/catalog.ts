// Whether what people are asked can be answered by anyone, whether each role means something, and
// whether something is there that a person has yet to apply.
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { newestRules } from '#rules/catalog/rules-version'
import { Fault } from '#record/fault'
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import type { Flaw } from '#authoring/lint/flaw'
import type { State } from '#state/state'
import { counted } from '#present/wording'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { readSeed, seedFileNames, seedFolderName } from '#authoring/seed-files'
import { ok, warning, type Check, type DoctorFinding } from '#health/doctor/finding'
import { logFileDefault } from '#runtime/logs/log-url'
import { oldHookSeeds } from '#cli/agents/hook/log-notes'
import { shellWord } from '#cli/terminal/hint'

export function catalogFindings({
  catalog,
  graph,
}: Pick<State, 'catalog' | 'graph'>): readonly DoctorFinding[] {
  const flaws = checkCatalog(catalog, graph)
  const isOfConfirmers = ({ code }: Flaw): boolean => code === 'confirmation_unanswerable'
  return [
    ...findings(
      flaws.filter(isOfConfirmers),
      'confirmers',
      'every review has people who can answer',
    ),
    ...findings(
      flaws.filter((flaw) => !isOfConfirmers(flaw)),
      'roles',
      'every tool has principals who may use it, and every role is read',
    ),
  ]
}

const shownMax = 5

/** One for each flaw; the last that is shown says how many more there are. */
function findings(flaws: readonly Flaw[], check: Check, sound: string): readonly DoctorFinding[] {
  if (flaws.length === 0) return [ok(check, sound)]
  const more = flaws.length - shownMax
  return flaws.slice(0, shownMax).map(({ what, fix, where }, index) => {
    const isLast = index === shownMax - 1 && more > 0
    const others = isLast ? `; and ${counted(more, 'other')}: \`warrant graph check\`` : ''
    const about = where.capability ?? where.principal ?? ''
    return warning(check, `${what}${others}`, { about, fix })
  })
}

type Applied = Pick<State, 'catalog' | 'graph' | 'catalogRevision'>

/** What `warrant apply` would bring: of the folder beside the log, of hooks, and of the rules. */
export async function applyFindings(
  state: Applied,
  home: string | null,
): Promise<readonly DoctorFinding[]> {
  const folder = home === null ? null : seedBeside(home)
  const due = [
    ...rulesFindings(state, folder),
    ...hookFindings(state),
    ...(folder === null ? [] : await folderFindings(state, folder)),
  ]
  return due.length > 0 ? due : [ok('apply', 'nothing waits to be applied')]
}

/** The folder that `warrant init` makes; null where there is none. */
function seedBeside(home: string): string | null {
  if (basename(home) !== dirname(logFileDefault)) return null
  const folder = join(dirname(home), seedFolderName)
  const files = [seedFileNames.graph, seedFileNames.catalog]
  return files.some((name) => existsSync(join(folder, name))) ? folder : null
}

/** The folder as one types it where the command runs. */
function typed(folder: string): string {
  const near = relative(process.cwd(), folder)
  return shellWord(near === '' || near.startsWith('..') ? folder : near)
}

function rulesFindings({ catalog }: Applied, folder: string | null): readonly DoctorFinding[] {
  const { rules } = catalog
  if (rules >= newestRules) return []
  const version = `version ${rules} of the rules, and this program has version ${newestRules}`
  const found = `the log decides by ${version}: what later ones repaired is as it was`
  const file = folder === null ? 'a catalog.json' : join(typed(folder), seedFileNames.catalog)
  const where = folder === null ? 'its folder' : typed(folder)
  const fix = `put \`"rules": ${newestRules}\` into ${file}, then \`warrant apply ${where}\``
  return [warning('apply', found, { about: 'rules', fix })]
}

/** Only where someone asks through hooks: no other log needs what they do. */
function hookFindings({ catalog }: Applied): readonly DoctorFinding[] {
  const isAsked = [...catalog.principals.values()].some(({ via }) => via?.includes('hook'))
  if (!isAsked) return []
  const found = 'the log lacks what hooks of this program bind, so not all of a call is judged'
  return oldHookSeeds(catalog).map((seed) => {
    return warning('apply', found, { about: 'hooks', fix: `\`warrant apply ${shellWord(seed)}\`` })
  })
}

async function folderFindings(state: Applied, folder: string): Promise<readonly DoctorFinding[]> {
  const about = typed(folder)
  try {
    const { sets } = plannedSeed(state, await readSeed(folder), { author: null, prune: false })
    const count = sets.reduce((sum, { operations }) => sum + operations.length, 0)
    if (count === 0) return []
    const found = `the log has not what the folder says: ${counted(count, 'change')}`
    const fix = `\`warrant plan ${about}\` shows them; \`warrant apply ${about}\`, or \`pull\``
    return [warning('apply', found, { about, fix: `${fix} where the log is right` })]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const found = `it cannot be applied: ${error.message}`
    return [warning('apply', found, { about, fix: `correct it: \`warrant plan ${about}\`` })]
  }
}
