// Finds what is wrong with a table of commands: every concept must be in the graph, every role
// known, every command there once.
import { PathRole, wordRoles, type ShellAdded, type ShellEntry } from '#schemas/shell/table'
import { findId, type Graph } from '#knowledge/graph/revision'
import { didYouMean, nearest, quoted } from '#record/quote'
import type { Problem } from '#record/problem'
import { shellConcepts } from './marks.ts'

export interface KnownWords {
  readonly graph: Graph
  readonly dialects: readonly string[]
  /** The file that has a command already; those of this one are added. */
  readonly defined: Map<string, string>
  readonly file: string
}

/** The same of a file that is laid over a seed, of which `defined` has the commands. */
export function addedProblem(
  { commands = {}, replace = {} }: ShellAdded,
  known: KnownWords,
): Problem | null {
  for (const names of Object.keys(commands)) {
    const name = names.split(' ').find((one) => known.defined.has(one))
    if (name !== undefined) {
      const message = `\`${name}\` is in ${known.defined.get(name) ?? ''} already: ${instead}`
      return { at: `commands/${names}`, message }
    }
  }
  for (const names of Object.keys(replace)) {
    const name = names.split(' ').find((one) => !known.defined.has(one))
    const message = `no table has ${quoted(name ?? '')}: put it under \`commands\``
    if (name !== undefined) return { at: `replace/${names}`, message }
  }
  const own = { ...known, defined: new Map<string, string>() }
  return tableProblem({ ...commands }, own) ?? tableProblem({ ...replace }, own)
}

const instead = 'put it under `replace` to judge it by this'

/** The first thing that is wrong, with the names of the commands that lead to it. */
export function tableProblem(
  commands: Readonly<Record<string, ShellEntry>>,
  known: KnownWords,
): Problem | null {
  const missing = shellConcepts.find((one) => findId(known.graph, one) === undefined)
  if (missing !== undefined) return unknownConcept(missing, 'graph.json')
  for (const [names, entry] of Object.entries(commands)) {
    for (const name of names.split(' ')) {
      const other = known.defined.get(name)
      if (other !== undefined) {
        return { at: names, message: `\`${name}\` is in ${other} already: keep one of them` }
      }
      known.defined.set(name, known.file)
    }
    const problem = entryProblem(entry, names, known)
    if (problem !== null) return problem
  }
  return null
}

function entryProblem(entry: ShellEntry, at: string, known: KnownWords): Problem | null {
  const { is, args, alone, input, modes = [], verbs = {}, options = {}, sub = {} } = entry
  const { listed = [] } = entry
  const open = anyOptionProblem(entry)
  if (open !== null) return { at, message: open }
  const concepts = [is, alone, ...Object.values(verbs), ...modes.map((mode) => mode.is)]
  for (const text of concepts) {
    for (const one of (text ?? '').split(' ')) {
      if (one !== '' && findId(known.graph, one) === undefined) return unknownConcept(one, at)
    }
  }
  for (const text of [args, input, ...modes.map((mode) => mode.args)]) {
    for (const role of (text ?? '').split(' ')) {
      const wrong = roleProblem(role.replace('...', ''), at, known)
      if (wrong !== null) return wrong
    }
  }
  for (const [names, text] of Object.entries(options)) {
    for (const one of text.split(' ')) {
      const place = `${at}/${names}`
      if (!one.startsWith('+')) {
        const wrong = roleProblem(one.replace('?', ''), place, known)
        if (wrong !== null) return wrong
      } else if (findId(known.graph, one.slice(1)) === undefined) {
        return unknownConcept(one.slice(1), place)
      }
    }
  }
  for (const [names, inner] of Object.entries(sub)) {
    const problem = entryProblem(inner, `${at}/${names}`, known)
    if (problem !== null) return problem
  }
  for (const { paths, ...inner } of listed) {
    const problem = entryProblem(inner, `${at}/listed/${Object.keys(paths)[0] ?? ''}`, known)
    if (problem !== null) return problem
  }
  return null
}

/** An option that no one listed may do whatever one that is listed does. */
function anyOptionProblem({ anyOption, sub, modes, options = {} }: ShellEntry): string | null {
  if (anyOption !== true) return null
  if (sub !== undefined || modes !== undefined) {
    return '`anyOption` beside `sub` or `modes`: list the options, since some change what it does'
  }
  const [name] = Object.entries(options).find(([, text]) => !/^(?:text\??)?$/u.test(text)) ?? []
  if (name === undefined) return null
  return `\`anyOption\`, but ${quoted(name)} matters: list the others, too`
}

function unknownConcept(name: string, at: string): Problem {
  return { at, message: `the graph has no concept ${quoted(name)}: add it there, or fix its name` }
}

function roleProblem(role: string, at: string, { dialects }: KnownWords): Problem | null {
  const roles = [...PathRole.options, ...wordRoles, ...dialects]
  if (role === '' || roles.includes(role)) return null
  return { at, message: `no such role: ${quoted(role)}${didYouMean(nearest(roles, role))}` }
}
