// Tables of commands that the user names, laid over those of the seed.
import type { AddedTables } from '#judging/shell-seed'
import { note } from '#cli/terminal/terminal'

/** Those of that folder, with a note on each command that the seed no longer judges. */
export function ownTables(folder: string | undefined): AddedTables | undefined {
  return folder === undefined ? undefined : { folder, onReplaced: noteReplaced }
}

function noteReplaced(names: string, path: string): void {
  note(`warrant: \`${names}\` is judged by \`${path}\`, not by the seed`)
}

/** Where a server judges, it does so by its own tables. */
export const serverTables = '--add is for judging here: leave it out, or leave --url out'
