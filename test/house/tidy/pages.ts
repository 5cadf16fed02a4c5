// What pages say of the tree is true: each path that they name is there, each script runs, and the
// order of packages is the one that is kept.
import { posix } from 'node:path'
import { z } from 'zod'
import { packages } from './packages.ts'
import type { Files } from './source.ts'

/** Pages for people who change the code. */
const pages = /^(README|ARCHITECTURE|CONTRIBUTING|STYLE|SECURITY)\.md$|^s[a-z]+\/(.+\/)?README\.md$/
const rooms = /^(schemas|shared|services|seeds|test|bench|docs|examples|\.ci)\//

/** Every path in backticks that is no file and no folder. */
export function pagesNamePaths(files: Files): readonly string[] {
  const folders = new Set<string>()
  for (const path of files.keys()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      folders.add(path.slice(0, end + 1))
    }
  }
  return quotedIn(files).flatMap(({ page, quoted }) => {
    if (!rooms.test(quoted) || !/^[\w./-]+$/.test(quoted)) return []
    const isThere = files.has(quoted) || folders.has(quoted)
    return isThere ? [] : [`${page}: \`${quoted}\` is not there`]
  })
}

const Scripts = z.looseObject({ scripts: z.record(z.string(), z.string()).default({}) })

/** Every `npm run` of a script that the package does not have. */
export function pagesNameScripts(files: Files): readonly string[] {
  const { scripts } = Scripts.parse(JSON.parse(files.get('package.json') ?? '{}'))
  return quotedIn(files).flatMap(({ page, quoted }) => {
    const script = /^npm run (?:-s )?([\w:-]+)/.exec(quoted)?.[1]
    const isThere = script === undefined || Object.hasOwn(scripts, script)
    return isThere ? [] : [`${page}: no script is called \`${script}\``]
  })
}

function quotedIn(files: Files) {
  return [...files].flatMap(([page, text]) => {
    if (!pages.test(page)) return []
    const inline = text.replaceAll(/^```[^]*?^```$/gm, '')
    const found = [...inline.matchAll(/`([^`]+)`/g)]
    return found.map(([, quoted = '']) => ({ page, quoted: quoted.replaceAll(/\s+/g, ' ') }))
  })
}

const Packed = z.looseObject({ files: z.array(z.string()).default([]) })
/** Of these the tree has all; of others it is only looked whether they are packed. */
const inTree = /\.(tsx?|mjs|json|md|yml|yaml)$/

/** Every link of a page of the package that leads to what the package does not have. */
export function packedLinksLead(files: Files): readonly string[] {
  const manifest = Packed.parse(JSON.parse(files.get('package.json') ?? '{}'))
  const roots = ['package.json', ...manifest.files.map((name) => name.replace(/\*\*.*$/, ''))]
  const isPacked = (path: string): boolean =>
    roots.some((one) => path === one || path.startsWith(one.replace(/\/?$/, '/')))
  return [...files].flatMap(([page, text]) => {
    if (!page.endsWith('.md') || !isPacked(page)) return []
    return [...text.matchAll(/\]\((?![a-z]+:|#|<)([^)\s#]+)[^)]*\)/g)].flatMap(([, link = '']) => {
      const target = posix.join(posix.dirname(page), link)
      const isThere = isPacked(target) && (!inTree.test(target) || files.has(target))
      return isThere ? [] : [`${page}: the package has no \`${target}\``]
    })
  })
}

const architecture = 'ARCHITECTURE.md'

/** Every package that the page on architecture does not name, in the order of their table. */
export function pageHasPackages(files: Files): readonly string[] {
  const page = files.get(architecture) ?? ''
  let from = 0
  return [...packages.values()].flatMap(({ folder }) => {
    const place = page.indexOf(`\`${folder}\``, from)
    if (place !== -1) from = place
    return place === -1 ? [`${architecture}: write what \`${folder}\` is, in its order`] : []
  })
}

const readmeLinesMax = 120

/**
 * Every page of the documentation that does not say for whom it is, or that its folder’s index
 * lacks; and a README that no one reads to its end.
 */
export function pagesAreFound(files: Files): readonly string[] {
  const readmeLines = (files.get('README.md') ?? '').split('\n').length - 1
  const tooLong =
    readmeLines > readmeLinesMax
      ? [`README.md has ${readmeLines} lines: at most ${readmeLinesMax}`]
      : []
  return [
    ...tooLong,
    ...[...files].flatMap(([page, text]) => {
      if (!/^docs\/.+\.md$/.test(page)) return []
      const name = posix.basename(page)
      const folder = posix.dirname(page)
      const index = files.get(`${folder}/README.md`) ?? ''
      const isListed = name === 'README.md' || index.includes(`](${name})`)
      // Decisions are for engineers alone, which their index says.
      const isFor = folder === 'docs/decisions' || /^# .+\n\nFor /.test(text)
      return [
        ...(isListed ? [] : [`${page} is not in ${folder}/README.md: list it`]),
        ...(isFor ? [] : [`${page} does not begin with whom it is for`]),
      ]
    }),
  ]
}
