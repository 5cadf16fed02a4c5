// Faults of Neo4j and its projection: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const neo4jFaults = {
  neo4j_address_missing: {
    retry: 'never',
    means: 'The address of Neo4j is not given.',
    fix: 'Set `WARRANT_NEO4J_URL`, such as `bolt://host:port`.',
  },
  neo4j_address_invalid: {
    retry: 'never',
    means: 'The address of Neo4j is not valid.',
    fix: 'Give `bolt://host:port` or `neo4j://host:port`, without user and password.',
  },
  neo4j_unreachable: {
    retry: 'soon',
    means: 'Neo4j does not answer.',
    fix: 'Check that it is up and the address is right. The projector tries again.',
  },
  neo4j_unavailable: {
    retry: 'soon',
    means: 'Neo4j answers that it cannot serve now.',
    fix: 'Wait. The projector tries again.',
  },
  neo4j_refused: {
    retry: 'never',
    means: 'Neo4j refuses the user or the password.',
    fix: 'Give the user and the password that the server knows.',
  },
  neo4j_query_refused: {
    retry: 'never',
    means: 'Neo4j refuses a query.',
    fix: 'Check the version of Neo4j and the rights of the user.',
  },
  neo4j_constraint: {
    retry: 'never',
    means: 'A write breaks a constraint in Neo4j: another program wrote there.',
    fix: 'Project again with `--rebuild`.',
  },
  neo4j_not_empty: {
    retry: 'never',
    means: 'The database holds other data.',
    fix: 'Give an empty database, or empty it.',
  },
  neo4j_not_projected: {
    retry: 'soon',
    means: 'The database holds no graph, or is being rebuilt.',
    fix: 'Project it with `warrant project neo4j`, or wait.',
  },
  neo4j_unreadable: {
    retry: 'never',
    means: 'The graph in Neo4j is damaged: another program wrote there.',
    fix: 'Project again with `--rebuild`.',
  },
  projection_ahead: {
    retry: 'never',
    means: 'The projection is further than the log, so it belongs to another log.',
    fix: 'Check which log it is, or project again with `--rebuild`.',
  },
  projection_behind: {
    retry: 'never',
    means: 'The projection ends before this log begins.',
    fix: 'Project again with `--rebuild`.',
  },
  projection_broken: {
    retry: 'never',
    means: 'The projection does not hold what was written.',
    fix: 'Run `warrant project neo4j --check`, then project again with `--rebuild`.',
  },
  projection_moved: {
    retry: 'never',
    means: 'Another process moved the projection, or rebuilds it.',
    fix: 'Let one process project. See its position with `warrant project neo4j --check`.',
  },
  projection_of_other_realm: {
    retry: 'never',
    means: 'The database holds the projection of another realm.',
    fix: 'Give each realm a database, or wipe that one with `--rebuild --replace REALM`.',
  },
  projection_strayed: {
    retry: 'never',
    means: 'The projection follows another log.',
    fix: 'Project this one with `--rebuild`.',
  },
  projection_unfinished: {
    retry: 'soon',
    means: 'Nothing is projected there, or a rebuild is not finished.',
    fix: 'Wait for the rebuild, or run it again with `--rebuild`.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
