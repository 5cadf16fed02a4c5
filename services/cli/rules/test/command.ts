// `warrant test`: test cases of a seed folder, for people and for CI.
import { InvalidArgumentError, type Command } from 'commander'
import { examples, running, several } from '#cli/terminal/opening/options'

const percentMax = 100

export function registerTest(program: Command): void {
  const command = program
    .command('test')
    .description('run the test cases of a seed folder; ends with 5 if one fails')
    .argument(
      '[folder]',
      'the folder with graph.json, catalog.json, callbacks.ts, tests/',
      'warrant',
    )
    .option(
      '--cases <file>',
      'a file of cases in place of those in tests/; may be repeated',
      several,
    )
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--sarif <file>', 'also write what failed as SARIF, for code hosts')
    .option('--min-coverage <percent>', 'end with 5 if less of the rules is covered', percent)
    .option('--verbose', 'show what every case came to')
    .option('--watch', 'run again whenever a file of the folder changes')
    .action(running(async () => (await import('./run.ts')).test))
  examples(command, [
    'warrant test',
    'warrant test warrant --junit report.xml --min-coverage 90',
    'warrant test warrant --watch',
    '',
    'docs/rules/testing.md describes the cases. No log is opened, and nothing is signed.',
  ])
}

function percent(text: string): number {
  const value = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && value <= percentMax) return value
  throw new InvalidArgumentError('Expected a whole number from 0 to 100.')
}
