// The offline formats: lines in, lines out, to the byte, for good, odd and broken lines.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { ranText, runAt } from '../played.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { block, plain, type Subject } from '../subject.ts'

const inputs = join(import.meta.dirname, '..', 'inputs')

/** The name of a file, and the calls whose answers it has; each reads the input that it names. */
const calls: Readonly<Record<string, readonly string[]>> = {
  'vlp-check': ['vlp check vlp.ndjson', 'vlp check --details --fail vlp.ndjson'],
  ground: [
    'ground ground.ndjson',
    'ground --profile classic ground.ndjson',
    'ground --graph seed/graph.json ground.ndjson',
    'ground --graph missing.json ground.ndjson',
  ],
  decide: [
    'decide decide.ndjson',
    'decide --details decide.ndjson',
    'decide --seed seed decide-seed.ndjson',
    'decide --seed seed --details --fail-on deny,ask,review decide-seed.ndjson',
    'decide --catalog seed/catalog.json --fail decide-seed.ndjson',
    'decide --seed missing decide-seed.ndjson',
  ],
  'policy-resolve': ['policy resolve resolve.ndjson'],
  redact: ['redact redact.ndjson'],
  frame: [
    'frame frame.ndjson',
    'frame --mode table frame.ndjson',
    'frame --mode handle_only frame.ndjson',
    'frame --mode raw frame.ndjson',
  ],
  score: ['score score.ndjson'],
  'standing-replay': ['standing --replay standing.ndjson'],
  council: ['council council.ndjson', 'council --fail council.ndjson'],
  'council-prompts': ['council --prompts prompts.ndjson'],
  'url-check': ['url-check urls.ndjson', 'url-check --fail urls.ndjson'],
  'prose-check': ['prose-check prose.ndjson', 'prose-check --details --fail prose.ndjson'],
  'hook-check': ['hook check hook-check.ndjson'],
  'no-input': [
    'vlp check missing.ndjson',
    'ground missing.ndjson',
    'decide missing.ndjson',
    'policy resolve missing.ndjson',
    'redact missing.ndjson',
    'frame missing.ndjson',
    'score missing.ndjson',
    'standing --replay missing.ndjson',
    'council missing.ndjson',
    'url-check missing.ndjson',
    'prose-check missing.ndjson',
    'hook check missing.ndjson',
    'frame --mode all frame.ndjson',
    'ground --profile lax ground.ndjson',
    'decide --fail-on never decide.ndjson',
  ],
}

const now = Date.UTC(2026, 0, 1)

async function record(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  await cp(inputs, cwd, { recursive: true })
  const files = new Map<string, string>()
  for (const [name, lines] of Object.entries(calls)) {
    let text = ''
    for (const line of lines) {
      const ran = await runAt(now, cwd, line.split(' '))
      text += block(`warrant ${line}`, plain(ranText(ran), { cwd }))
    }
    files.set(`${name}.txt`, text)
  }
  return files
}

export const offline: Subject = { folder: 'frozen/offline', record }
