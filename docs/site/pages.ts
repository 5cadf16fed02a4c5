// Which pages the site has: README.md, every page that one of them links to, and a view of each
// file and folder that they show. A link that leads nowhere stops the build.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { rendered, type Rendered } from './markdown.ts'

/** A page of Markdown, a file to look at, a picture, or what a folder has. */
export type SitePage =
  | (Rendered & { readonly kind: 'text' })
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'picture'; readonly bytes: Uint8Array }
  | { readonly kind: 'folder'; readonly names: readonly string[] }

/** By the path of the source from the root of the checkout; of a folder it ends with `/`. */
export type SitePages = ReadonlyMap<string, SitePage>

const start = 'README.md'
const pagesMax = 2_000
const picture = /\.(png|svg)$/
const unseen: ReadonlySet<string> = new Set(['node_modules', 'dist'])

/** Throws with all that is wrong if a link leads nowhere. */
export function pagesIn(root: string): SitePages {
  const pages = new Map<string, SitePage>()
  const wrong: string[] = []
  const waiting: (readonly [path: string, from: string])[] = [[start, start]]
  for (const [asked, from] of waiting) {
    const path = pathOf(root, asked)
    if (path === null) wrong.push(`${from}: there is no \`${asked}\``)
    if (path === null || pages.has(path)) continue
    const page = pageOf(root, path)
    pages.set(path, page)
    for (const link of linksOf(path, page)) waiting.push([link, path])
    if (pages.size > pagesMax) throw new Error(`more than ${pagesMax} pages`)
  }
  wrong.push(...anchorsThatLead(root, pages))
  if (wrong.length > 0) throw new Error(`links that lead nowhere:\n${wrong.join('\n')}`)
  return pages
}

/** The path of the page that a link means: of a folder with a README it is that. */
function pathOf(root: string, asked: string): string | null {
  const path = asked.replace(/\/$/, '')
  const place = join(root, path)
  if (path.startsWith('..') || !existsSync(place)) return null
  if (!statSync(place).isDirectory()) return path
  return existsSync(join(place, start)) ? `${path}/${start}` : `${path}/`
}

function pageOf(root: string, path: string): SitePage {
  const place = join(root, path)
  if (path.endsWith('/')) {
    const names = readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !unseen.has(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    return { kind: 'folder', names: names.toSorted() }
  }
  if (picture.test(path)) return { kind: 'picture', bytes: readFileSync(place) }
  const text = readFileSync(place, 'utf8')
  if (!path.endsWith('.md')) return { kind: 'file', text }
  return { kind: 'text', ...rendered(text, (link) => addressOf(root, path, link)) }
}

function linksOf(path: string, page: SitePage): readonly string[] {
  if (page.kind === 'folder') return page.names.map((name) => `${path}${name}`)
  return page.kind === 'text' ? page.links.map((link) => targetOf(path, link)) : []
}

function targetOf(path: string, link: string): string {
  const [to = ''] = link.split('#')
  return to === '' ? path : posix.join(posix.dirname(path), to)
}

/** Where the page of a source lies in the site. */
export function placeOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`
  if (path.endsWith('.md')) {
    return path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')
  }
  return picture.test(path) ? path : `${path}.html`
}

/** The address of one place as seen from another. */
export function relativeTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to)
}

/** What a link of a page is on the site. What leads elsewhere stays as it is. */
function addressOf(root: string, path: string, link: string): string {
  const [, hash] = link.split('#')
  const target = pathOf(root, targetOf(path, link))
  if (target === null) return link
  const address = target === path ? '' : relativeTo(placeOf(path), placeOf(target))
  return hash === undefined ? address : `${address}#${hash}`
}

function anchorsThatLead(root: string, pages: SitePages): readonly string[] {
  return [...pages].flatMap(([path, page]) => {
    if (page.kind !== 'text') return []
    return page.links.flatMap((link) => {
      const [, hash] = link.split('#')
      const target = pages.get(pathOf(root, targetOf(path, link)) ?? '')
      if (hash === undefined || target === undefined) return []
      const isThere = target.kind === 'text' && target.sections.some(({ id }) => id === hash)
      return isThere ? [] : [`${path}: \`${link}\` has no such heading`]
    })
  })
}
