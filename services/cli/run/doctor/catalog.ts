// Whether what people are asked can be answered by anyone, whether each role means something, and
// whether something is there that a person has yet to apply.
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { newestRules } from '#rules/catalog/rules-version'
import { Fault } from '#record/fault'
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import type { Flaw } from '#authoring/lint/flaw'
import type { State } from '#state/state'
import { counted, duration } from '#present/wording'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { readSeed, seedFileNames, seedFolderName } from '#authoring/seed-files'
import { ok, warning, failure, type Check, type DoctorFinding } from '#health/doctor/finding'
import { logFileDefault, isRemote, type LogPlace } from '#runtime/logs/log-url'
import { oldHookSeeds } from '#cli/agents/hook/log-notes'
import { shellWord } from '#cli/terminal/hint'
import { loadModule } from '#authoring/callback-store'
import { auditDoor } from '#rules/catalog/doors/log-readers'
import { doorRefusal, httpDoor } from '#rules/catalog/doors/speaking'
import { listed, quoted } from '#record/quote'
import { isListed } from '#rules/catalog/catalog'
import type { Principal } from '#schemas/catalog'
import type { Matcher } from '#schemas/rules/matcher'
import { listedGrant } from '#rules/grants/listed'

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

// Whether the callback module that the catalog pins is where a stage of this machine looks for it.
// It reads the module's bytes and never runs it.

/** None where the catalog pins no module. */
export async function callbacksFindings(
  place: LogPlace,
  pinned: string | null,
): Promise<readonly DoctorFinding[]> {
  const { folder } = place
  if (pinned === null || folder === null) return []
  try {
    const isHere = (await loadModule(folder, pinned)) !== null
    return [isHere ? ok('callbacks', `the module ${pinned} is here`) : missing(place, pinned)]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const fix = `bring back the module as it was when it was pinned, into ${folder}/callbacks`
    return [failure('callbacks', error.message, { about: pinned, fix })]
  }
}

function missing(place: LogPlace, about: string): DoctorFinding {
  const folder = `${place.folder}/callbacks`
  const found = `the catalog pins this module, and it is not in ${folder}`
  // On servers it is needed only where the stage policy runs, or a replay.
  if (isRemote(place)) {
    const fix = `copy it there from a machine that runs \`warrant up policy\``
    return warning('callbacks', found, { about, fix })
  }
  const fix = 'copy it there from beside the log that this is a copy of; replay needs it as well'
  return failure('callbacks', found, { about, fix })
}

// Whether claimed work is looked at: a claim that no verifier has begun with, or that none can end.

/** A verifier may be at something else for so long. */
const waitMsMax = 10 * 60_000

/** Nothing where no claim waits too long. */
export function contractFindings(
  { contracts }: Pick<State, 'contracts'>,
  now: number,
): readonly DoctorFinding[] {
  const waiting = [...contracts.values()].flatMap((contract) => {
    const [claim] = contract.pending
    return claim === undefined ? [] : [{ contract, waitMs: now - claim.appendedAt }]
  })
  const unseen = waiting.filter(({ contract, waitMs }) => {
    return contract.started.number === 0 && waitMs > waitMsMax
  })
  const stuck = waiting.filter(({ contract }) => contract.started.number > 1)
  const [first] = unseen
  const [again] = stuck
  return [
    ...(first === undefined
      ? []
      : [
          warning(
            'contracts',
            `no verifier has begun with ${counted(unseen.length, 'claim')}, the oldest of ` +
              `${duration(first.waitMs)} ago`,
            { about: first.contract.address, fix: 'run `warrant up verification`' },
          ),
        ]),
    ...(again === undefined
      ? []
      : [
          warning(
            'contracts',
            `${counted(stuck.length, 'claim')} had to be begun again by another verifier`,
            {
              about: again.contract.address,
              fix: 'read what the stage `verification` logs: can it read the workspace?',
            },
          ),
        ]),
  ]
}

// Whose word comes through a door and is believed: it is as good as the door and the login, which
// a person should know wherever the catalog takes it for evidence.

/** Nothing where no evidence comes through a door, and each door speaks for whom it is assigned. */
export function doorFindings({ catalog }: Pick<State, 'catalog'>): readonly DoctorFinding[] {
  const { principals, trustedEvidence } = catalog
  const senders = new Set(trustedEvidence.map(({ sender }) => sender))
  return [...principals.values()].flatMap(({ id, via = [], owner, keys }) => {
    if (via.length === 0) return []
    const doors = listed(via, 'and')
    const about = { about: id }
    // Who reads by a door, or answers by a key, needs no one to speak for them.
    const isOwnWord = (door: string) => door === httpDoor && keys.length > 0
    const speaking = via.filter((door) => door !== auditDoor && !isOwnWord(door))
    if (speaking.some((door) => doorRefusal(catalog, id, door) === 'has_duty')) {
      const fix = 'take `via` away, or give it a principal of its own for that'
      return [warning('doors', 'no door speaks for one who decides for others', { ...about, fix })]
    }
    if (!senders.has(id) || keys.length > 0) return []
    const whose = owner === undefined ? '' : ', an agent,'
    const found = `what comes through ${doors} as this principal${whose} counts as evidence`
    const fix = 'let no agent have its login, or give it a key: then it must sign what it says'
    return [warning('doors', found, { ...about, fix })]
  })
}

// Who may ask what others might do, and over whom: anyone who holds such a login can find out what
// each of them may do.

const entriesShownMax = 8

/** One for each principal with `evaluates`; a warning where that lets it ask about everyone. */
export function evaluatorFindings({ catalog }: Pick<State, 'catalog'>): readonly DoctorFinding[] {
  const all = [...catalog.principals.values()]
  return all.flatMap(({ id, evaluates }) => {
    const { subjects = [], enforces = false } = evaluates ?? {}
    if (subjects.length === 0) return []
    const who = subjects.map((one) => one.who)
    const others = all.filter((one) => one.id !== id)
    const asked = others.filter((one: Principal) => isListed(who, one)).length
    const isEveryone = asked > 0 && asked === others.length
    const whom = isEveryone ? `everyone (${asked})` : `${asked} of ${others.length} others`
    const shown = subjects.slice(0, entriesShownMax).map(entryText)
    const left = subjects.length - shown.length
    const entries = [...shown, ...(left > 0 ? [`${left} more`] : [])].join('; ')
    const uses = enforces ? '; what it is allowed uses up their limits and budgets' : ''
    const found = `it may ask what ${whom} might do: ${entries}${uses}`
    if (!isEveryone) return [ok('evaluators', found, id)]
    const fix = 'name in its `evaluates` only those whom it serves, such as by a role of theirs'
    return [warning('evaluators', found, { about: id, fix })]
  })
}

function entryText({ type, who }: { readonly type: string; readonly who: Matcher }): string {
  const { principal, role, attributes = {} } = who
  const parts = [
    ...(principal === undefined ? [] : [quoted(principal)]),
    ...(role === undefined ? [] : [`the role ${quoted(role)}`]),
    ...Object.entries(attributes).map(([name, value]) => quoted(`${name}=${value}`)),
  ]
  return `as ${quoted(type)} ${parts.join(' and ')}`
}

// Whether each grant that has not ended can still answer for a call.

/** Nothing where all can. */
export function grantFindings(
  { catalog, grants, grantUses }: Pick<State, 'catalog' | 'grants' | 'grantUses'>,
  now: number,
): readonly DoctorFinding[] {
  const idle = [...grants.byId.values()]
    .map((grant) => listedGrant(catalog, { grant, uses: grantUses.get(grant.id) }, now))
    .filter(({ state }) => state === 'idle')
  const [first] = idle
  if (first === undefined) return []
  const found = `${counted(idle.length, 'grant')} can answer for no call: ${first.why ?? ''}`
  const fix = 'see `warrant grants`: correct the catalog, or revoke the grant and sign another'
  return [warning('grants', found, { about: first.grant.id, fix })]
}
