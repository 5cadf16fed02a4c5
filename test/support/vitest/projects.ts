// Which project of vitest a test file belongs to. It follows from what the file and its helpers
// import, so there is no list to keep.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { z } from 'zod'

const root = join(import.meta.dirname, '..', '..', '..')

/**
 * `servers`: needs servers that are no part of Warrant. `processes`: starts processes of its own,
 * such as the packed program or a browser. `system`: changes what belongs to the whole process.
 * `unit`: none of these.
 */
export type Project = 'servers' | 'processes' | 'system' | 'unit'

/** What `npm test` runs; `npm run test:processes` runs the others. */
export const plainProjects: readonly Project[] = ['unit', 'system']

const marks: readonly (readonly [Project, RegExp])[] = [
  ['servers', /\/servers\/(nats-server|neo4j-server|envoy|mcp-servers)\.ts'/],
  ['processes', /'node:child_process'|\/browser\/chromium\.ts'|\/built\.ts'/],
  ['system', /process\.chdir/],
]

/** What a file says itself, if what it tries starts a process: a tool, or a program of a gate. */
const starting = /\[process\.execPath,|\/namespaces\.ts'/

const Extras = z.object({ dependencies: z.record(z.string(), z.string()) })
const extras = Extras.parse(JSON.parse(readFileSync(join(root, 'extras/package.json'), 'utf8')))
const missing = Object.keys(extras.dependencies).filter(
  (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
)
const loadsMissing = new RegExp(
  `^(?!import type ).*(?:from |import\\(|resolve\\()'(?:${missing.join('|')})(?:/[^']*)?'`,
  'm',
)

const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
const tests = names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`)
const textsOf = new Map(tests.map((file) => [file, [...reached(file)].map(textOf)]))

/** The tests of packages that `npm run extras` brings, where it was not run. */
export const withoutExtras: readonly string[] =
  missing.length === 0 ? [] : tests.filter((file) => has(file, loadsMissing))

export function filesOf(project: Project): string[] {
  return tests.filter((file) => !withoutExtras.includes(file) && projectOf(file) === project)
}

function projectOf(file: string): Project {
  const found = marks.find(([, mark]) => has(file, mark))?.[0] ?? 'unit'
  return plainProjects.includes(found) && starting.test(textOf(file)) ? 'processes' : found
}

function has(file: string, mark: RegExp): boolean {
  return textsOf.get(file)?.some((text) => mark.test(text)) ?? false
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The file, all helpers that it imports, and the adapters for frameworks. */
function reached(file: string): ReadonlySet<string> {
  const found = new Set([file])
  for (const path of found) {
    const text = textOf(path)
    for (const [, name = ''] of text.matchAll(/^(?:import|export|\}).* from '(\.[^']+\.ts)'/gm)) {
      found.add(posix.join(posix.dirname(path), name))
    }
    for (const [, name = ''] of text.matchAll(/ from '#(services\/frameworks\/[^']+)'/g)) {
      found.add(`${name}.ts`)
    }
  }
  return found
}
