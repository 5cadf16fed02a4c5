// The commands that judge finished work and reviews of it: NDJSON in, NDJSON out, each line
// alone. They open no log, write no file, ask no server and know no time but what a line brings.
import type { Command } from 'commander'
import { judging } from '../offline/command.ts'

interface Failing {
  readonly fail?: boolean
}

interface ProseOptions extends Failing {
  readonly details?: boolean
}

/** Adds `score`, `standing`, `council`, `url-check` and `prose-check`. */
export function registerWork(program: Command): void {
  registerScore(program)
  registerStanding(program)
  registerCouncil(program)
  registerUrlCheck(program)
  registerProseCheck(program)
}

function registerScore(program: Command): void {
  const command = program
    .command('score')
    .description('score finished work by what was found of it (NDJSON in and out)')
  judging(command, [
    `echo '{"parsed":true,"status":"success","verification":"verified","retries":0}' |` +
      ' warrant score',
  ]).action(async (file: string | undefined) => {
    const { scoredLines } = await import('./lines.ts')
    process.exitCode = await scoredLines(file)
  })
}

function registerStanding(program: Command): void {
  const command = program
    .command('standing')
    .description('fold scores into a standing and its level (NDJSON in and out)')
    .requiredOption('--replay', 'of the scores of each line, from its `start`')
  judging(command, [`echo '{"scores":[1,-1]}' | warrant standing --replay`]).action(
    async (file: string | undefined) => {
      const { standingLines } = await import('./lines.ts')
      process.exitCode = await standingLines(file)
    },
  )
}

function registerCouncil(program: Command): void {
  const command = program
    .command('council')
    .description('count the votes in what reviewers replied (NDJSON in and out)')
    .option('--fail', 'end with 3 if a council does not pass')
  judging(command, [
    `echo '{"seats":1,"replies":["{\\"verdict\\":\\"approve\\"}"]}' | warrant council --fail`,
  ]).action(async (file: string | undefined, { fail = false }: Failing) => {
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
    async (file: string | undefined, { fail = false }: Failing) => {
      const { urlLines } = await import('./lines.ts')
      process.exitCode = await urlLines(file, fail)
    },
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
  ]).action(async (file: string | undefined, options: ProseOptions) => {
    const { proseLines } = await import('./prose-lines.ts')
    process.exitCode = await proseLines(file, options)
  })
}
