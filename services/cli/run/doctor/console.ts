// Whether a console gives the page that this release has, and tells browsers what protects it. Look
// from elsewhere than from its own machine: a captured server could say what is wanted.
import { consoleApi, consoleRoutes } from '#schemas/console/routes'
import { failure, ok, type DoctorFinding } from '#health/doctor/finding'
import { isLoopback } from '#serving/loopback'
import { counted } from '#present/wording'
import { headersAt } from '#console/page-answers'
import { answerOf, filesHere, filesThere, type FileThere } from '../console/served.ts'

/** Throws a Fault `server_unreachable` where nothing answers. */
export async function consoleFindings(origin: string): Promise<readonly DoctorFinding[]> {
  const files = await filesThere(origin, await filesHere())
  const session = `${consoleApi}${consoleRoutes.session.path}`
  const { headers } = await answerOf(origin, session)
  return [
    addressFinding(origin),
    filesFinding(origin, files),
    headersFinding(origin, [...files, { path: session, headers }]),
  ]
}

/** Browsers use no passkey elsewhere, and anyone on the way could change the page. */
export function addressFinding(origin: string): DoctorFinding {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:') return ok('console', 'it is addressed by https', origin)
  if (isLoopback(hostname)) return ok('console', 'it is on this machine alone', origin)
  const fix = 'give it a certificate (`--tls-cert`), or a proxy that ends TLS and `--url https://…`'
  return failure('console', 'it is addressed without TLS', { about: origin, fix })
}

function filesFinding(origin: string, files: readonly Omit<FileThere, 'headers'>[]): DoctorFinding {
  const others = files.filter(({ digest, there }) => there !== digest)
  if (others.length === 0) {
    const found = `${counted(files.length, 'file')} of the page as this release has them`
    return ok('console', found, origin)
  }
  const what = others.map(({ path, there }) => (there === null ? `${path} (not there)` : path))
  const found = `${others.length} of ${counted(files.length, 'file')} differ: ${some(what)}`
  const release = 'look whether it runs this release (`warrant --version`)'
  const fix = `${release}; else sign nothing there, and find out who changed them`
  return failure('console', found, { about: origin, fix })
}

export function headersFinding(
  origin: string,
  answers: readonly Pick<FileThere, 'path' | 'headers'>[],
): DoctorFinding {
  const wrong = new Map<string, string[]>()
  for (const { path, headers } of answers) {
    for (const [name, value] of Object.entries(headersAt(path, origin))) {
      if (headers.get(name) === value) continue
      wrong.set(name, [...(wrong.get(name) ?? []), path])
    }
  }
  if (wrong.size === 0) {
    return ok('console', 'browsers are told all that protects the page', origin)
  }
  const what = [...wrong].map(([name, [first = '', ...more]]) => {
    return `${name} at ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`
  })
  const found = `not as this release sends them: ${some(what)}`
  const fix =
    'have the proxy before it pass these headers as they are, none added and none left out'
  return failure('console', found, { about: origin, fix })
}

const namedMax = 6

function some(names: readonly string[]): string {
  const more = names.length - namedMax
  return `${names.slice(0, namedMax).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
