// Builds the documentation as a site of files, which any server of files gives out as they are:
//   npm run docs [-- FOLDER]
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { argv, stdout } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { rolldown, type OutputChunk } from 'rolldown'
import { examplesIn } from './examples.ts'
import { documentAround, type Framed } from './layout.ts'
import { escaped } from './markdown.ts'
import { pagesIn, placeOf, relativeTo, type SitePage, type SitePages } from './pages.ts'
import { examplePlace, playgroundContent, playgroundPlace } from './playground.ts'
import { partNames } from './page/playground/link.ts'
import { searching } from './page/searching.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const consolePage = join(root, 'services/console/page')

/** All files of the site, by their places. */
export async function siteFiles(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const pages = pagesIn(root)
  const files = new Map<string, string | Uint8Array>()
  for (const [path, page] of pages) {
    const content =
      page.kind === 'picture' ? page.bytes : documentAround(framed(path, page, pages), pages)
    files.set(placeOf(path), content)
  }
  const examples = examplesIn(root)
  const content = playgroundContent(examples)
  const playing = { path: playgroundPlace, title: 'Playground', content, sections: [] }
  const script = 'playground/playground.js'
  files.set(playgroundPlace, documentAround({ ...playing, script }, pages))
  for (const [index, { texts }] of examples.entries()) {
    files.set(examplePlace(index), JSON.stringify(partNames.map((name) => texts[name])))
  }
  files.set('search.json', JSON.stringify(searchOf(pages)))
  const bundles = [
    await scripts('page/site.ts', 'site.js', 'iife'),
    await scripts('page/playground/playground.ts', script, 'es'),
    await scripts('page/playground/worker.ts', 'playground/worker.js', 'es'),
  ]
  for (const { fileName, code } of bundles.flat()) files.set(fileName, code)
  const tokens = await readFile(join(consolePage, 'style/tokens.css'), 'utf8')
  files.set('site.css', `${tokens}${await readFile(join(here, 'page/site.css'), 'utf8')}`)
  files.set('icon.svg', await readFile(join(consolePage, 'beside/icon.svg'), 'utf8'))
  return files
}

function framed(path: string, page: SitePage, pages: SitePages): Framed {
  if (page.kind === 'text') {
    return { path, title: page.title, content: page.html, sections: page.sections }
  }
  const heading = `<h1>${escaped(path)}</h1>`
  return { path, title: path, content: `${heading}${bodyOf(path, page, pages)}`, sections: [] }
}

function bodyOf(path: string, page: SitePage, pages: SitePages): string {
  if (page.kind === 'file') return `<pre tabindex="0"><code>${escaped(page.text)}</code></pre>`
  if (page.kind !== 'folder') return ''
  const lines = page.names.map((name) => {
    const inside = posix.join(path, name)
    const to = pages.has(inside) ? inside : `${inside}README.md`
    return `<li><a href="${relativeTo(placeOf(path), placeOf(to))}">${escaped(name)}</a></li>`
  })
  return `<ul>${lines.join('')}</ul>`
}

/** The index that a browser loads with the first search. */
function searchOf(pages: SitePages): unknown {
  const index = new MiniSearch(searching)
  for (const [path, page] of pages) {
    if (page.kind !== 'text') continue
    for (const [at, { id, title, text }] of page.sections.entries()) {
      const place = at === 0 ? placeOf(path) : `${placeOf(path)}#${id}`
      const above = at === 0 ? path : page.title
      if (text !== '' || at === 0) index.add({ place, title, above, text })
    }
  }
  return index.toJSON()
}

/** What a browser loads, and beside it what it loads on demand. */
async function scripts(
  from: string,
  as: string,
  format: 'es' | 'iife',
): Promise<readonly OutputChunk[]> {
  const built = await rolldown({
    cwd: root,
    input: join(here, from),
    platform: 'browser',
    tsconfig: join(here, 'page/tsconfig.json'),
    resolve: { conditionNames: ['warrant-source', 'browser', 'import', 'default'] },
    transform: { target: 'es2022' },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.generate({
    format,
    entryFileNames: as,
    chunkFileNames: 'playground/chunks/[name]-[hash].js',
    comments: { legal: false, jsdoc: false, annotation: false },
    minify: true,
  })
  await built.close()
  return output.filter((chunk) => chunk.type === 'chunk')
}

/** Lays it into a folder, which has nothing else afterwards. */
export async function laySite(into: string): Promise<number> {
  const files = await siteFiles()
  await rm(into, { recursive: true, force: true })
  for (const [place, content] of files) {
    const path = join(into, place)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return files.size
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const into = argv[2] ?? join(root, 'dist/docs')
  stdout.write(`${await laySite(into)} files in ${into}\n`)
}
