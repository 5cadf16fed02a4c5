// What stands beside the code: the README's promise, the page of words, the lock file, the page on
// dependencies. Nothing in the tree belongs to one machine.
import { posix } from 'node:path'
import { z } from 'zod'
import { at, sourcesOf, visit, type Files } from './source.ts'

const commands = ['npm ci && npm run demo', 'npm ci && npm test']

/** Both commands of a fresh machine stand in the README. */
export function readmeKeepsCommands(files: Files): readonly string[] {
  const readme = files.get('README.md') ?? ''
  return commands
    .filter((command) => !readme.includes(command))
    .map((command) => `README.md: \`${command}\` is not there`)
}

const machinePath = /(?<![.\w])\/(work|tmp|root|home|farm|Users)\/[A-Za-z]/
const written = /\.(tsx?|mjs|json|md|yml|yaml)$|^(\.ci\/[\w-]+|Dockerfile)$/

const lockFiles = ['package-lock.json', 'extras/package-lock.json']

/** No path of one machine. */
export function belongsToNoMachine(files: Files): readonly string[] {
  const found: string[] = []
  for (const [path, text] of files) {
    if (!written.test(path) || lockFiles.includes(path)) continue
    for (const [index, line] of text.split('\n').entries()) {
      if (machinePath.test(line)) found.push(`${path}:${index + 1} has a path of one machine`)
    }
  }
  return found
}

/** The lock file says what, and never from where: that is each machine’s own affair. */
export function lockNamesNoHost(files: Files): readonly string[] {
  return lockFiles.flatMap((path) =>
    (files.get(path) ?? '').split('\n').flatMap((line, index) => {
      const named = /"resolved": (?!"absent")|registry\./.test(line)
      return named ? [`${path}:${index + 1} names a registry: npm install writes it again`] : []
    }),
  )
}

const Lock = z.looseObject({
  packages: z
    .record(
      z.string(),
      z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
    )
    .default({}),
})

/**
 * The lock file has the packages of every platform. A registry that lacks some leaves them out
 * unseen, and then `npm ci` refuses the lock file, on every machine.
 */
export function lockIsWhole(files: Files): readonly string[] {
  return lockFiles.flatMap((file) => {
    const { packages } = Lock.parse(JSON.parse(files.get(file) ?? '{}'))
    const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
    return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
      const missing = Object.keys(optionalDependencies).filter((name) => !locked.has(name))
      return missing.map((name) => `${file}: ${path} needs ${name}, which is not locked`)
    })
  })
}

const Manifest = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})
const dependencyPage = 'docs/decisions/dependencies.md'

/** Each dependency has its sentence. */
export function dependenciesAreExplained(files: Files): readonly string[] {
  const page = files.get(dependencyPage) ?? ''
  return ['package.json', 'extras/package.json']
    .map((path) => Manifest.parse(JSON.parse(files.get(path) ?? '{}')))
    .flatMap((manifest) => Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
    .filter((name) => !page.includes(`\`${name}\``))
    .map(
      (name) => `${dependencyPage}: say what \`${name}\` does for us, who keeps it, what it costs`,
    )
}

export const wordsPage = 'docs/reference/words.md'
const product = /^(schemas|shared|services|bench)\//

/** What the page lists under *Not*, with the term to write instead. */
export function wordsNotSaid(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  let isReplacing = false
  for (const line of text.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, term = '', , not = ''] = cells
    if (cells.length < 5) isReplacing = false
    if (not === 'Not') isReplacing = true
    if (!isReplacing) continue
    for (const [, word = ''] of not.matchAll(/`([A-Za-z]+)`/g)) words.set(word.toLowerCase(), term)
  }
  return words
}

/** What speaks to a framework, by a standard, or to a coding agent, says its words. */
const ofOthers = new RegExp(
  '^(?:services/frameworks/[^/]+|services/http/evaluations/authzen' +
    '|schemas/http/evaluations|shared/operations/finding/ocsf-event' +
    '|services/(?:hooks/send|cli/agents/hook/play)' +
    '|shared/shell/hooks/(?:hosts/[^/]+|hook-answer)' +
    '|services/console/page/attending/push|bench/doors/authzen)\\.ts$',
)

/** One thing, one name: no identifier of ours and no file has a word that the page replaces. */
export function speaksTheWords(files: Files): readonly string[] {
  const replaced = wordsNotSaid(files.get(wordsPage) ?? '')
  if (replaced.size === 0) return [`${wordsPage}: replaces no word`]
  return sourcesOf(files)
    .filter(({ path }) => product.test(path) && !ofOthers.test(path))
    .flatMap((source) => {
      const found: string[] = []
      const judge = (name: string, place: () => string): void => {
        const word = wordsOf(name).find((one) => replaced.has(one))
        if (word !== undefined) found.push(`${place()} says ${name}: say ${replaced.get(word)}`)
      }
      judge(posix.basename(source.path, '.ts'), () => source.path)
      const once = new Set<string>()
      visit(source, {
        Identifier({ name, start }) {
          if (once.has(name) || name in globalThis) return
          once.add(name)
          judge(name, () => at(source, start, 'here'))
        },
      })
      return found
    })
}

function wordsOf(name: string): readonly string[] {
  const parts = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/)
  return parts.map((part) => part.toLowerCase())
}
