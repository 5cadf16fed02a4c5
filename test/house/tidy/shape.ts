// How a file looks: short, opened by a sentence, honest in its types, and finished.
import { posix } from 'node:path'
import type { ArrowFunctionExpression, Function as FunctionNode } from 'oxc-parser'
import { at, lineAt, sourcesOf, visit, type Files, type Source } from './source.ts'

const fileLinesMax = 500
const functionLinesMax = 70
const columnsMax = 100

/** Long files, long functions, long lines. */
export function staysShort(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => [
    ...longFile(source),
    ...longFunctions(source),
    ...longLines(source),
  ])
}

// A callback module is one file, since one digest pins it.
function longFile({ path, text }: Source): readonly string[] {
  if (path.startsWith('seeds/')) return []
  const lines = text.split('\n').length - 1
  return lines > fileLinesMax ? [`${path} has ${lines} lines: it holds more than one idea`] : []
}

// The name of a test is one sentence, and would be harder to read and to find in two pieces.
const namesTest = /^\s*(test|it|describe)(\.[a-z]+)*\(['`]/

function longLines({ path, text }: Source): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = Array.from(line).length
    if (columns <= columnsMax || namesTest.test(line)) return []
    return [`${path}:${index + 1} has ${columns} columns: break it`]
  })
}

// What a test file describes is a list, not a function.
function longFunctions(source: Source): readonly string[] {
  const found: string[] = []
  const lists = new Set<number>()
  const judge = ({ start, end }: FunctionNode | ArrowFunctionExpression): void => {
    const lines = lineAt(source, end) - lineAt(source, start) + 1
    if (lines <= functionLinesMax || lists.has(start)) return
    found.push(at(source, start, `is a function of ${lines} lines: let it branch and others do`))
  }
  visit(source, {
    CallExpression({ callee, arguments: given }) {
      const called = source.text.slice(callee.start, callee.end)
      if (called.startsWith('describe')) for (const { start } of given) lists.add(start)
    },
    FunctionDeclaration: judge,
    FunctionExpression: judge,
    ArrowFunctionExpression: judge,
  })
  return found
}

/** Casts, `any`, `!`, default exports and barrels. */
export function isHonest(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const found: string[] = []
    const report = (start: number, what: string): void => {
      found.push(at(source, start, what))
    }
    visit(source, {
      TSAsExpression({ typeAnnotation: type, start }) {
        const isConst = source.text.slice(type.start, type.end) === 'const'
        if (!isConst) report(start, 'casts: parse it, or narrow it by a question')
      },
      TSTypeAssertion({ start }) {
        report(start, 'casts: parse it, or narrow it by a question')
      },
      TSAnyKeyword({ start }) {
        report(start, 'says any: say unknown, and ask')
      },
      TSNonNullExpression({ start }) {
        report(start, 'says !: ask whether it is there')
      },
      ExportAllDeclaration({ start }) {
        report(start, 'exports all of another file: import from where it stands')
      },
    })
    if (source.exported.includes('default') && !isToolConfig(source.path)) {
      report(0, 'exports a default: give it a name')
    }
    return found
  })
}

function isToolConfig(path: string): boolean {
  return /^[a-z]+\.config\.ts$/.test(path)
}

const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/
const switches = ['skip', 'only', 'todo', 'fails']

/** What was left for later, and tests that are switched off. */
export function isFinished(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const found = source.comments.flatMap(({ value, start }) => {
      const word = unfinished.exec(value)?.[0]
      return word === undefined ? [] : [at(source, start, `says ${word}: do it, or open an issue`)]
    })
    visit(source, {
      MemberExpression({ object, property, start }) {
        const tested = source.text.slice(object.start, object.end)
        if (property.type !== 'Identifier' || !switches.includes(property.name)) return
        if (!/^(it|test|describe)\b/.test(tested)) return
        found.push(
          at(source, start, `is ${tested}.${property.name}: a test runs, or it is not there`),
        )
      },
    })
    return found
  })
}

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?\.tsx?$/
const kebabFolder = /^\.?[a-z0-9]+(-[a-z0-9]+)*$/
const meaningless = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'misc', 'index']

/** Names of files, and the sentence that each opens with. */
export function isNamed(files: Files): readonly string[] {
  return sourcesOf(files).flatMap(({ path, text, comments }) => {
    const found: string[] = []
    const name = posix.basename(path)
    const folders = path.split('/').slice(0, -1)
    if (!kebab.test(name) || folders.some((folder) => !kebabFolder.test(folder))) {
      found.push(`${path}: names are kebab-case`)
    }
    // The names of tests say what the file is for, and a tool knows its own configuration.
    if (name.endsWith('.test.ts') || isToolConfig(path)) return found
    if (meaningless.includes(name.replace(/\.tsx?$/, '')))
      found.push(`${path}: has no meaning: use a noun`)
    const [first] = comments
    const before = text.slice(0, first?.start ?? text.length).replace(/^#!.*\n/, '')
    if (first === undefined || before.trim() !== '' || first.value.trim().length < 20) {
      found.push(`${path}: open it with a sentence: what it is for, and what it must never do`)
    }
    return found
  })
}

/** Promises have no bodies. */
export function promisesOnly(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    if (!source.path.startsWith('shared/ports/')) return []
    const found: string[] = []
    const report = ({ start }: { readonly start: number }): void => {
      found.push(at(source, start, 'does something: a port is interfaces, an adapter keeps them'))
    }
    visit(source, {
      FunctionDeclaration: report,
      ArrowFunctionExpression: report,
      ClassDeclaration: report,
      CallExpression: report,
    })
    return found
  })
}
