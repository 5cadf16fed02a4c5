// `--help` of every command, as it is printed.
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { block, plain, type Subject } from '../subject.ts'
import { allCommands, byFirstWord } from './commands.ts'

async function record(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  const env = { COLUMNS: '100', NO_COLOR: '1' }
  const paths = (await allCommands()).map(({ path }) => path)
  const calls: readonly (readonly [path: readonly string[], words: readonly string[]])[] = [
    ...[[], ['--help'], ['help', '--all']].map((words) => [[], words] as const),
    ...paths.map((path) => [path, [...path, '--help']] as const),
  ]
  const blocks: [readonly string[], string][] = []
  for (const [path, words] of calls) {
    const { code, stdout, stderr } = await run(words, { cwd, env, isBare: true })
    const title = `${['warrant', ...words].join(' ')} (exit ${code})`
    blocks.push([path, block(title, plain(stdout + stderr, { cwd }))])
  }
  return byFirstWord(blocks)
}

export const help: Subject = { folder: 'ours/help', record }
