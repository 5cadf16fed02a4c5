// What is allowed is run by a real bash, and does no more than the judge has said of it: it changes
// nothing, starts nothing else, and shows no secret.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readShell } from '#judging/parser/parse'
import { judgedCommand } from '#shell/concepts'
import { checkLine, openShellSeed, type ShellSeed } from '#cli/agents/hook/check'
import { isApart } from '../../../../support/adapters/namespaces.ts'
import { count } from '../../../../support/vitest/counts.ts'
import { line, written, type Line } from './lines.ts'
import { planted, ranLines, type RanLine } from './stand.ts'
import type { ShellEntry } from '#schemas/shell/table'

const cwd = '/srv/dev/app'
const seed = await openShellSeed()
// What would reach out, not end, or run another language.
const replaced = [
  'git curl wget ssh scp sftp rsync nc telnet ftp docker kubectl npm npx node',
  'python python3 perl gh aws sleep yes top watch less more vi vim man',
].flatMap((one) => one.split(' '))
// The shell runs these itself; it is the shell that is tried.
const builtins = [
  '. : [ alias bg bind break builtin caller cd command compgen complete continue',
  'declare dirs disown echo enable eval exec exit export false fc fg getopts hash',
  'help history jobs kill let local logout mapfile popd printf pushd pwd read',
  'readarray readonly return set shift shopt source suspend test times trap true',
  'type typeset ulimit umask unalias unset wait bash sh',
].flatMap((one) => one.split(' '))
const programs = [...new Set([...replaced, ...seed.table.commands.keys()])]
const recorders = programs.filter((name) => {
  const folders = ['/usr/bin', '/usr/sbin']
  const isMissing = !folders.some((folder) => existsSync(join(folder, name)))
  const isReplaced = isMissing || replaced.includes(name)
  return /^[\w-]+$/u.test(name) && isReplaced && !builtins.includes(name)
})

function isAllowed(parts: Line, by: ShellSeed): boolean {
  const checked = checkLine({ command: written(parts), cwd }, by)
  return 'outcome' in checked && checked.outcome === 'allow'
}

/** Lines without end, each once. */
function* distinct(): Generator<Line> {
  const seen = new Set<string>()
  for (let seed = firstSeed; ; seed += 1) {
    for (const one of fc.sample(line, { seed, numRuns: 2_000 })) {
      if (seen.has(written(one))) continue
      seen.add(written(one))
      yield one
    }
  }
}

/** The first so many that are allowed, and the first of those that are not. */
function chosen(max: number) {
  const [allowed, asked]: [Line[], Line[]] = [[], []]
  for (const one of distinct()) {
    if (allowed.length === max) break
    if (isAllowed(one, seed)) allowed.push(one)
    else if (asked.length < 1_000) asked.push(one)
  }
  return { allowed, asked }
}

/** What it does beyond the account that the judge gives of it; null where nothing. */
function faultOf(parts: Line, ran: RanLine, { table }: ShellSeed): string | null {
  const asked = { command: written(parts), cwd }
  const { concepts, programs } = judgedCommand(asked, { read: readShell, table })
  const named = new Set([...programs].map((name) => name.slice(name.lastIndexOf('/') + 1)))
  if (ran.isChanged) return 'it changed a file'
  const shown = ran.stdout.includes(planted) || ran.calls.includes(planted)
  if (shown && !concepts.some((one) => one === 'secret.read' || one === 'read.recursive')) {
    return 'it showed a secret'
  }
  const started = [...calledIn(ran.calls), ...tracedIn(ran.trace)].find((one) => !named.has(one))
  return started === undefined ? null : `it started ${started}`
}

function calledIn(calls: string): readonly string[] {
  return calls
    .split('\n')
    .map((one) => one.split(' ')[0] ?? '')
    .filter((one) => one !== '')
}

/** The commands that the shell itself has traced. */
function tracedIn(trace: string): readonly string[] {
  return trace.split('\n').flatMap((one) => {
    const name = /^\++ (?<name>[\w./-]+)(?: |$)/u.exec(one)?.groups?.['name']
    return name === undefined || /^(?:for|case|select|set)$/u.test(name)
      ? []
      : [name.slice(name.lastIndexOf('/') + 1)]
  })
}

async function faults(tried: readonly Line[], by: ShellSeed) {
  const ran = await ranLines(tried.map(written), recorders)
  return {
    done: ran.length,
    found: tried.flatMap((parts, at) => {
      const one = ran[at]
      const fault = one === undefined ? 'it did not run' : faultOf(parts, one, by)
      return fault === null ? [] : [{ line: written(parts), fault }]
    }),
  }
}

const runs = count(20_000, 600)
const firstSeed = 28

const kinds =
  'command pipeline chain apart together redirected loop branches function looked ' +
  'text home glob brace variable unknown number output pipe'

/** The seed with one entry of a command that says too little. */
function withEntry(name: string, entry: ShellEntry): ShellSeed {
  const commands = new Map([...seed.table.commands, [name, entry]])
  return { ...seed, table: { ...seed.table, commands } }
}

const wrongSeeds: ReadonlyMap<string, ShellSeed> = new Map([
  ['a text taken for a number', withEntry('cat', { args: 'read...', counts: true })],
  ['any option of a program that writes', withEntry('sort', { args: 'read...', anyOption: true })],
  [
    'an argument that is written taken for one that is read',
    withEntry('uniq', { args: 'read...' }),
  ],
  ['a program that writes taken for one that prints', withEntry('touch', { args: 'text...' })],
  [
    'a secret that is not known by its path',
    { ...seed, table: { ...seed.table, isSecret: () => false } },
  ],
])

describe.skipIf(!isApart)('what is allowed', () => {
  const { allowed, asked } = isApart ? chosen(runs) : chosen(0)

  test('does in a real bash what the judge says of it, and no more', async () => {
    const { found, done } = await faults(allowed, seed)
    expect(found).toEqual([])
    expect(done).toBe(runs)
    // Whatever a line can be made of occurs in one that was run.
    const trees = JSON.stringify(allowed.map((one) => readShell(written(one))))
    for (const kind of kinds.split(' ')) expect(trees).toContain(`"kind":"${kind}"`)
  })

  test.each([...wrongSeeds])('is found at fault by %s', async (_, wrong) => {
    const more = asked.filter((one) => isAllowed(one, wrong)).slice(0, 40)
    const { found } = await faults(more, wrong)
    expect(found).not.toEqual([])
  })
})
