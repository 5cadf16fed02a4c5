// The commands that judge finished work and reviews of it. All but one take lines: NDJSON in and
// out, each line alone. They open no log, write no file, ask no server and know no time but what a
// line brings; `verify-work` reads a folder or a commit, and runs what its contract asks for.
import { Option, type Command } from 'commander'
import { examples, running, several, wholeNumber, withModel } from '#cli/terminal/opening/options'
import type { VerifyWorkOptions } from './verify-work.ts'
import { judging } from '#cli/offline/command'

interface CouncilOptions {
  readonly fail?: boolean
  readonly prompts?: boolean
}

/** Adds `verify-work`, `score`, `council`, `url-check` and `prose-check`. */
export function registerWork(program: Command): void {
  registerVerifyWork(program)
  registerScore(program)
  registerCouncil(program)
  registerUrlCheck(program)
  registerProseCheck(program)
}

function registerVerifyWork(program: Command): void {
  const command = withModel(
    program
      .command('verify-work')
      .description('verify a folder of work, or a commit of a repository, under its contract')
      .argument('<contract>', 'the contract: JSON; `-` is standard input')
      .argument('<folder>', 'what the worker wrote; it is copied, and never written to')
      .option('--commit <hex>', 'the folder is a git repository: verify this commit of it')
      .option('--claim <file>', 'what the worker reports, as JSON: then the work is scored')
      .option('--status <status>', 'in place of a report: success, blocked or failed')
      .option('--retries <n>', 'how many attempts came before', wholeNumber, 0)
      .option('--readable <folder>', 'a folder that tests may read, such as a toolchain', several)
      .option('--accept-process', 'run tests without namespaces where they cannot be had')
      .option('--online', 'ask the links of a text, by the rules of `url-check`'),
    'is asked for each vote of a council',
  ).action(async (contract: string, folder: string, _options: unknown, called: Command) => {
    const { verifyWorkCommand } = await import('./verify-work.ts')
    process.exitCode = await verifyWorkCommand(
      { contract, folder },
      called.optsWithGlobals<VerifyWorkOptions>(),
    )
  })
  examples(command, [
    'warrant verify-work contract.json build',
    'warrant verify-work contract.json build --claim claim.json --retries 1 --json',
    'warrant verify-work contract.json repository --commit "$(git rev-parse HEAD)"',
    '',
    'It ends with 0 if the work is verified, with 3 if it is refuted, and with 7 if neither.',
  ])
}

function registerScore(program: Command): void {
  const command = program
    .command('score')
    .description('score finished work by what was found of it (NDJSON in and out)')
  judging(command, [
    `echo '{"parsed":true,"status":"success","verification":"verified","retries":0}' |` +
      ' warrant score',
  ]).action(running(async () => (await import('./lines.ts')).scoredLines))
}

function registerCouncil(program: Command): void {
  const command = program
    .command('council')
    .description('count the votes in what reviewers replied (NDJSON in and out)')
    .option('--fail', 'end with 3 if a council does not pass')
    .addOption(
      new Option('--prompts', 'print what each reviewer is asked about a work').conflicts('fail'),
    )
  judging(command, [
    `echo '{"seats":1,"replies":["{\\"verdict\\":\\"approve\\"}"]}' | warrant council --fail`,
    `echo '{"contract":{"taskId":"T","objective":"say hi"},"work":{"a.txt":"hi"}}' |` +
      ' warrant council --prompts',
  ]).action(async (file: string | undefined, { fail = false, prompts = false }: CouncilOptions) => {
    if (prompts) {
      const { councilPromptLines } = await import('./council-prompts.ts')
      process.exitCode = await councilPromptLines(file)
      return
    }
    const { councilLines } = await import('./lines.ts')
    process.exitCode = await councilLines(file, fail)
  })
}

function registerUrlCheck(program: Command): void {
  const command = program
    .command('url-check')
    .description('judge URLs and the addresses of their hosts (NDJSON in and out)')
    .option('--fail', 'end with 3 if a URL is blocked')
  judging(command, [`echo '{"url":"http://169.254.169.254/"}' | warrant url-check`]).action(
    running(async () => (await import('./lines.ts')).urlLines),
  )
}

function registerProseCheck(program: Command): void {
  const command = program
    .command('prose-check')
    .description('check the structure of a text in Markdown (NDJSON in and out)')
    .option('--details', 'add to each finding its line and what it is about')
    .option('--fail', 'end with 3 if a text does not pass')
  judging(command, [
    `echo '{"text":"# Tasks","checks":["has_steps"]}' | warrant prose-check --fail`,
  ]).action(running(async () => (await import('./prose-lines.ts')).proseLines))
}
