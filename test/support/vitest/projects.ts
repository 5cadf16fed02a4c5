// Which project of vitest a test file belongs to. It follows from what the file and its helpers
// import, so there is no list to keep.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/**
 * `servers`: needs nats-server or Neo4j. `system`: starts processes, or changes what belongs to the
 * whole process. `unit`: neither, so that many files share a process.
 */
export type Project = 'servers' | 'system' | 'unit'

const marks: readonly (readonly [Project, RegExp])[] = [
  ['servers', /\/servers\/(nats|neo4j)-server\.ts'/],
  ['system', /'node:child_process'|\/browser\/chromium\.ts'|\/built\.ts'|process\.chdir/],
]

export function filesOf(project: Project): string[] {
  const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.test.ts'))
  return files.map((name) => `test/${name}`).filter((path) => projectOf(path) === project)
}

function projectOf(file: string): Project {
  const texts = [...reached(file)].map((path) => readFileSync(join(root, path), 'utf8'))
  return marks.find(([, mark]) => texts.some((text) => mark.test(text)))?.[0] ?? 'unit'
}

/** The file, and all helpers that it imports. */
function reached(file: string): ReadonlySet<string> {
  const found = new Set([file])
  for (const path of found) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/^(?:import|export|\}).* from '(\.[^']+\.ts)'/gm)) {
      found.add(posix.join(posix.dirname(path), name))
    }
  }
  return found
}
