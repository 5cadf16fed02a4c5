// What stands around each page: the way to the others, and the search. No script and no style
// stands in it, and the policy in its head lets nothing be loaded from elsewhere.
import { posix } from 'node:path'
import { escaped, type Section } from './markdown.ts'
import { placeOf, relativeTo, type SitePages } from './pages.ts'

/** A folder of the documentation, with its pages in the order of its index. */
interface Chapter {
  readonly title: string
  readonly pages: readonly string[]
}

const docs = 'docs/README.md'
const ours = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', 'CHANGELOG.md']

/** In the order in which the indexes link to them. */
function chaptersOf(pages: SitePages): readonly Chapter[] {
  const linkedBy = (path: string): readonly string[] => {
    const page = pages.get(path)
    if (page?.kind !== 'text') return []
    const folder = posix.dirname(path)
    const targets = page.links.map((link) => posix.join(folder, link.replace(/#.*/, '')))
    return [...new Set(targets)].filter((target) => target.startsWith(`${folder}/`))
  }
  const folders = linkedBy(docs).map((index) => {
    const inside = linkedBy(index).filter((path) => path.endsWith('.md'))
    return { title: titleOf(pages, index), pages: [index, ...inside] }
  })
  return [...folders, { title: 'The project', pages: ours.filter((path) => pages.has(path)) }]
}

function titleOf(pages: SitePages, path: string): string {
  const page = pages.get(path)
  return page?.kind === 'text' ? page.title : path
}

export interface Framed {
  readonly path: string
  readonly title: string
  readonly content: string
  readonly sections: readonly Section[]
  /** Beside that of every page. */
  readonly script?: string
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types warrant-playground',
].join('; ')

/** The whole document of a page. */
export function documentAround(framed: Framed, pages: SitePages): string {
  const { path, title, content, sections, script } = framed
  const place = placeOf(path)
  const up = relativeTo(place, 'index.html').replace(/index\.html$/, '')
  const heading = title === 'Warrant' ? title : `${title} · Warrant`
  return `<!doctype html>
<html lang="en" data-up="${up}">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(heading)}</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}site.css">
<script src="${up}site.js"></script>${scriptOf(up, script)}
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${up}index.html">Warrant</a>
<search><input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"
 role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Found" hidden></ul></search>
<a href="${up}playground.html">Playground</a>
<button id="theme" type="button">Light or dark</button>
</header>
<div class="page">
<nav aria-label="Pages"><details id="ways"><summary>All pages</summary>
${waysOf(path, pages)}
</details></nav>
<main id="content">
${content}
</main>
${outlineOf(sections)}
</div>
</html>
`
}

function scriptOf(up: string, script: string | undefined): string {
  return script === undefined ? '' : `\n<script type="module" src="${up}${script}"></script>`
}

function waysOf(path: string, pages: SitePages): string {
  const link = (to: string): string => {
    const here = to === path ? ' aria-current="page"' : ''
    const text = escaped(titleOf(pages, to).replaceAll('`', ''))
    return `<li><a href="${relativeTo(placeOf(path), placeOf(to))}"${here}>${text}</a></li>`
  }
  return chaptersOf(pages)
    .map(({ title, pages: inside }) => {
      const isOpen = inside.includes(path) || path === 'README.md' ? ' open' : ''
      return `<details${isOpen}><summary>${escaped(title)}</summary><ul>${inside
        .map(link)
        .join('')}</ul></details>`
    })
    .join('\n')
}

const outlineMin = 3

function outlineOf(sections: readonly Section[]): string {
  const shown = sections.filter(({ level }) => level === 2)
  if (shown.length < outlineMin) return ''
  const lines = shown.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`)
  return `<aside aria-label="On this page"><p>On this page</p><ul>${lines.join('')}</ul></aside>`
}
