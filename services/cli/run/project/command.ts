// `warrant project`: the graph in a database where people can ask it.
import type { Command } from 'commander'
import { listenArgument } from '#cli/terminal/opening/listen'
import { examples, running } from '#cli/terminal/opening/options'

export function registerProject(program: Command): void {
  const project = program.command('project').description('copies of the graph in a database')
  const command = project
    .command('neo4j')
    .description('copy the graph to Neo4j, and keep it current until Ctrl-C')
    .option('--neo4j <url>', '`bolt://host:port` (else WARRANT_NEO4J_URL)')
    .option('--once', 'stop at the current end of the log')
    .option('--rebuild', 'wipe the copy, and write it again from the log')
    .option('--replace <realm>', 'with --rebuild: also where Neo4j holds that realm')
    .option('--check', 'write nothing: compare what Neo4j holds with the log')
    .option(
      '--listen <host:port>',
      'serve /metrics, /healthz and /readyz there; a port alone is local',
      listenArgument,
    )
    .action(running(async () => (await import('./run.ts')).projectNeo4j))
  examples(command, [
    'WARRANT_NEO4J_PASSWORD_FILE=password warrant project neo4j --neo4j bolt://localhost',
    'warrant project neo4j --listen 9465',
    'warrant project neo4j --check',
    'warrant project neo4j --rebuild --once',
    '',
    'WARRANT_NEO4J_USER, _PASSWORD_FILE, _DATABASE and _CA_FILE set how to connect; the database',
    'is used for nothing else. Of several projectors each writes only what no other has written.',
    'With --check it exits with 5 if anything differs, or facts of the log are not there yet.',
    'docs/run/neo4j.md has example queries.',
  ])
}
