// The commands that judge lines offline: NDJSON in, NDJSON out, one answer a line, each judged
// alone. They open no log, write no file, and ask no server but a Neo4j that holds the graph.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'

/** Adds `vlp check`, `ground` and `decide`. */
export function registerOffline(program: Command): void {
  registerVlpCheck(program.command('vlp').description('VLP/1.1 messages'))
  registerGround(program)
  registerDecide(program)
}

function registerVlpCheck(vlp: Command): void {
  const command = vlp
    .command('check')
    .description('check messages (NDJSON in and out)')
    .option('--details', 'add to each issue its parameters and a text')
    .option('--fail', 'end with 3 if a message fails')
  judging(command, ['warrant vlp check messages.ndjson']).action(
    running(async () => (await import('./run.ts')).checkMessages),
  )
}

function registerGround(program: Command): void {
  const command = program
    .command('ground')
    .description('check whether a graph knows concepts (NDJSON in and out)')
    .option(
      '--graph <file>',
      'for lines that bring no graph: a graph.json, an export as lines, or a Neo4j at `bolt://…`',
    )
    .addOption(
      new Option('--profile <profile>', 'the rules to ground by')
        .choices(['classic', 'strict'])
        .default('strict'),
    )
  const example = `echo '{"concepts":["delete","file"]}' | warrant ground --graph graph.json`
  judging(command, [example]).action(running(async () => (await import('./run.ts')).groundConcepts))
}

function registerDecide(program: Command): void {
  const command = program
    .command('decide')
    .description('judge intents against a graph and a catalog (NDJSON in and out)')
    .option('--graph <file>', 'the graph.json for lines that bring no graph')
    .option('--catalog <file>', 'the catalog.json of which `tool` and `principal` name entries')
    .option('--callbacks <file>', 'the callbacks.ts that policies call')
    .option('--seed <folder>', 'the folder with these files, for those that are not given')
    .option('--details', 'add the parameters of each reason, texts, questions, policies and gaps')
    .option('--fail', 'end with 3 if a line is denied')
    .option(
      '--fail-on <outcomes>',
      'end with 3 if a line comes to one of these, such as deny,ask,review',
      outcomes,
    )
  const lines = [
    'warrant decide --graph graph.json --catalog catalog.json intents.ndjson',
    'warrant decide --seed warrant --details --fail-on deny,ask,review intents.ndjson',
    `echo '{"principal":"my-agent","tool":"send_email"}' | warrant decide --seed warrant`,
  ]
  judging(command, lines).action(running(async () => (await import('./run.ts')).decideRequests))
}

const outcomesKnown = ['allow', 'deny', 'ask', 'review']

function outcomes(text: string): readonly string[] {
  const named = text.split(',')
  if (named.every((one) => outcomesKnown.includes(one))) return named
  throw new InvalidArgumentError(`Expected some of ${outcomesKnown.join(', ')}.`)
}

/** Adds `resolve` to `policy`, whose other commands open a log. */
export function registerPolicyResolve(policy: Command): void {
  const command = policy
    .command('resolve')
    .description('resolve triggered policies and the answers of people (NDJSON in and out)')
  judging(command, ['warrant policy resolve cases.ndjson']).action(
    running(async () => (await import('./run.ts')).resolvePolicies),
  )
}

/** The argument and the help that all commands have that answer lines. */
export function judging(command: Command, lines: readonly string[]): Command {
  command.argument('[file]', 'NDJSON, one object per line (else, or for `-`, standard input)')
  return examples(command, [
    ...lines,
    '',
    'A line that cannot be evaluated gets {"error":{"code","message","line"}}; all other lines',
    'are still answered, and the exit code is 6.',
  ])
}
