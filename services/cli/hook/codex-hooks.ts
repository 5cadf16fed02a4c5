// Whether Codex runs hooks at all, by its own configuration: an administrator's, the user's and the
// project's. What is set when Codex is started is not seen.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { codexSays, type CodexSays } from '#core/hooks/codex-config'
import { environment } from '#runtime/wiring/environment'

/** Where Codex has what is the user's. */
export function codexHome(): string {
  return environment()['CODEX_HOME'] ?? join(homedir(), '.codex')
}

/** Of an administrator, on every system but Windows. */
const system = '/etc/codex'

/** Why Codex would pass over the hooks in that file, in sentences; empty where it would not. */
export async function codexObstacles(hooksFile: string): Promise<readonly string[]> {
  const required = await saidIn(join(system, 'requirements.toml'))
  const layers: readonly Said[] = [
    await saidIn(join(system, 'config.toml')),
    await saidIn(join(codexHome(), 'config.toml')),
    await saidIn(resolve('.codex/config.toml')),
  ]
  const off = required.hooks === false ? required : layers.findLast(({ hooks }) => hooks !== null)
  const user = layers[1]?.disabled ?? []
  return [
    ...[required, ...layers].flatMap(({ unread }) => (unread === undefined ? [] : [unread])),
    ...(off?.hooks === false
      ? [`\`${off.file}\` turns hooks off: set \`hooks = true\` under [features] there`]
      : []),
    ...(required.managedOnly
      ? [`\`${required.file}\` lets only the hooks of an administrator run`]
      : []),
    ...user
      .filter((one) => one.startsWith(`${hooksFile}:`))
      .map((one) => `the hook \`${one}\` is switched off: switch it on in /hooks of Codex`),
  ]
}

interface Said extends CodexSays {
  readonly file: string
  readonly unread?: string
}

async function saidIn(file: string): Promise<Said> {
  const nothing = { file, hooks: null, managedOnly: false, disabled: [] }
  try {
    return { file, ...codexSays(await readFile(file, 'utf8')) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return nothing
    return { ...nothing, unread: `\`${file}\` cannot be read, so hooks may be off there` }
  }
}
