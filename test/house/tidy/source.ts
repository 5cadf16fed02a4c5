// The tree as the tidiness rules see it: texts by path, and what the parser says of the TypeScript
// ones. A rule looks at this alone, so that a planted text is judged like a real one.
import { parseSync, Visitor, type Comment, type Program, type VisitorObject } from 'oxc-parser'

/** Texts by their path from the root, with `/` between the folders. */
export type Files = ReadonlyMap<string, string>

/** Says everything that is wrong: where, what, and how to fix it. */
export type Rule = (files: Files) => readonly string[]

export interface Import {
  readonly from: string
  /** What is taken; empty where the whole module is, or only its effect. */
  readonly names: readonly string[]
  /** Whether nothing of it is there when the program runs. */
  readonly isType: boolean
  readonly start: number
}

export interface Source {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
  readonly imports: readonly Import[]
  /** The names that it exports; `default` is one. */
  readonly exported: readonly string[]
}

const golden = /^test\/golden\/[^/]+\//
const parsed = new Map<string, Source>()

/** The TypeScript files of the tree, parsed. What golden logs bring along is never edited. */
export function sourcesOf(files: Files): readonly Source[] {
  const sources: Source[] = []
  for (const [path, text] of files) {
    if (/\.tsx?$/.test(path) && !golden.test(path)) sources.push(sourceOf(path, text))
  }
  return sources
}

function sourceOf(path: string, text: string): Source {
  const known = parsed.get(path)
  if (known?.text === text) return known
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? 'no TypeScript'}`)
  const imports = importsOf(text, program)
  const source = { path, text, program, comments, imports, exported: exportedBy(program) }
  parsed.set(path, source)
  return source
}

function importsOf(text: string, program: Program): readonly Import[] {
  const imports: Import[] = program.body.flatMap((statement) => importOf(statement) ?? [])
  // Walking all of a file costs as much as parsing it, and few files have one of these.
  if (!/\brequire|\bimport\s*\(/.test(text)) return imports
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type !== 'Literal' || typeof source.value !== 'string') return
      imports.push({ from: source.value, names: [], isType: false, start })
    },
    // What CommonJS gives has to be required.
    CallExpression({ callee, arguments: [given], start }) {
      if (callee.type !== 'Identifier' || !callee.name.startsWith('require')) return
      if (given?.type !== 'Literal' || typeof given.value !== 'string') return
      imports.push({ from: given.value, names: [], isType: false, start })
    },
    TSImportType({ source, start }) {
      imports.push({ from: source.value, names: [], isType: true, start })
    },
  }).visit(program)
  return imports
}

function importOf(statement: Program['body'][number]): Import | null {
  const { start } = statement
  if (statement.type === 'ImportDeclaration') {
    const { source, specifiers, importKind } = statement
    const names = specifiers.flatMap((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return []
      const { imported } = specifier
      return [imported.type === 'Identifier' ? imported.name : imported.value]
    })
    const types = specifiers.map((specifier) => {
      return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'
    })
    const isType = importKind === 'type' || (types.length > 0 && types.every(Boolean))
    return { from: source.value, names, isType, start }
  }
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration'
  if (!isExport || statement.source === null) return null
  const isType = statement.exportKind === 'type'
  return { from: statement.source.value, names: [], isType, start }
}

function exportedBy({ body }: Program): readonly string[] {
  return body.flatMap((statement) => {
    if (statement.type === 'ExportDefaultDeclaration') return ['default']
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = statement
    const named = specifiers.map(({ exported: name }) => {
      return name.type === 'Identifier' ? name.name : name.value
    })
    if (declaration?.type === 'FunctionDeclaration') return [declaration.id?.name ?? '', ...named]
    if (declaration?.type !== 'VariableDeclaration') return named
    const declared = declaration.declarations.map(({ id }) => id)
    return [...declared.flatMap((id) => (id.type === 'Identifier' ? [id.name] : [])), ...named]
  })
}

export function visit(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program)
}

/** The line of the offset, counted from 1. */
export function lineAt(source: Source, offset: number): number {
  return source.text.slice(0, offset).split('\n').length
}

export function at(source: Source, offset: number, what: string): string {
  return `${source.path}:${lineAt(source, offset)} ${what}`
}
