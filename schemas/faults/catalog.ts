// Faults of catalogs and seeds: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'
import { exitCodes } from './exit.ts'

export const catalogFaults = {
  catalog_invalid: {
    retry: 'never',
    means: 'The catalog file does not follow its schema.',
    fix: 'Correct the place that the message names.',
  },
  catalog_moved: {
    retry: 'never',
    means: 'Others changed the catalog since the revision that the change was built on.',
    fix: 'Look at the catalog again, and build the change on its current revision.',
  },
  no_catalog: {
    retry: 'never',
    means: 'The log has no catalog, so no one may sign.',
    fix: 'Run `warrant init`, or `warrant apply FOLDER`.',
  },
  plan_invalid: {
    retry: 'never',
    means: 'The file is not a plan, or was changed after it was made.',
    fix: 'Make the plan again: `warrant plan FOLDER --out FILE`.',
  },
  plan_foreign: {
    retry: 'never',
    means: 'The plan was made for another log.',
    fix: 'Give the log that it was made for with `--log`, or make a plan for this one.',
  },
  cases_invalid: {
    retry: 'never',
    means: 'There are no test cases, or one does not follow its format.',
    fix: 'Correct the place that the message names. docs/rules/testing.md describes the format.',
  },
  never_broken: {
    retry: 'never',
    means: 'The change would let through what a test of the folder says is never allowed.',
    fix: 'Correct the rule, or the `never` in the tests of the folder.',
  },
  no_policy_admin: {
    retry: 'never',
    means: 'The signer is not a policy admin, or no key of a policy admin is here.',
    fix: 'Sign with the key of a policy admin: `--key FILE`.',
  },
  policy_admin_lost: {
    retry: 'never',
    means:
      'The change would leave no policy admin with a key, or one who cannot sign the rest of it.',
    fix: 'Keep a policy admin with a key, and sign as one who stays.',
  },
  id_repeated: {
    retry: 'never',
    means: 'Two entries have the same id.',
    fix: 'Keep one of them.',
  },
  limit_repeated: {
    retry: 'never',
    means: 'Two limits are for the same class or tool.',
    fix: 'Keep one of them.',
  },
  driver_unusable: {
    retry: 'never',
    means: 'How a tool is to be carried out cannot be read, or says what is not allowed.',
    fix: 'Correct the place that the message names.',
  },
  server_repeated: {
    retry: 'never',
    means: 'Two servers of tools have the same id.',
    fix: 'Rename one of them.',
  },
  unknown_server: {
    retry: 'never',
    means: 'A tool names a server of tools that `servers` does not have.',
    fix: 'Add the server, or correct the name.',
  },
  budget_repeated: {
    retry: 'never',
    means: 'Two budgets have the same name.',
    fix: 'Rename one of them.',
  },
  budget_unusable: {
    retry: 'never',
    means: 'A budget has an expression that cannot be evaluated, or a `max` that is no decimal.',
    fix: 'Correct the place that the message names.',
  },
  budget_spans_cells: {
    retry: 'never',
    means: 'A budget adds up what agents of several cells do, and each cell counts its own.',
    fix: 'Add it up per agent, or give each cell the whole of it: `"perCell": true`.',
  },
  key_shared: {
    retry: 'never',
    means: 'Two principals have the same key.',
    fix: 'Make a key for each.',
  },
  passkey_shared: {
    retry: 'never',
    means: 'A passkey is listed twice, for one principal or for two.',
    fix: 'Make a passkey for each principal, and list each once.',
  },
  passkey_unusable: {
    retry: 'never',
    means: 'The public key of a passkey cannot be read, or is of another algorithm than it says.',
    fix: 'Enrol the passkey again: `warrant console enrol PERSON`.',
  },
  console_repeated: {
    retry: 'never',
    means: 'Two consoles have the same id, or a page is given twice.',
    fix: 'Rename one of them, and leave each page to one console.',
  },
  console_unusable: {
    retry: 'never',
    means: 'No browser would sign at that page with a passkey of that console.',
    fix: 'Write the page as browsers do, and let `rpId` be its host or a domain above it.',
  },
  identity_shared: {
    retry: 'never',
    means: 'Two principals have the same identity at an issuer of OpenID Connect.',
    fix: 'Leave it to one of them: who signs in is one principal.',
  },
  known_misplaced: {
    retry: 'never',
    means:
      'An argument that must be known, or by which a text is read, is not in the schema of the ' +
      'arguments; or what destroys takes values from texts.',
    fix: 'Correct what the message names, or add the argument to `argsSchema`.',
  },
  still_used: {
    retry: 'never',
    means: 'The entry cannot be removed, since another entry names it.',
    fix: 'Change the entry that names it first.',
  },
  cells_fixed: {
    retry: 'never',
    means: 'The change names more cells than the realm has, or would move an agent.',
    fix: 'Keep those, or run `warrant catalog move` or `warrant catalog spread`.',
  },
  move_refused: {
    retry: 'never',
    means: 'The agent cannot leave its cell, or would arrive without being moved.',
    fix: 'Move it with `warrant catalog move`, which signs both changes.',
  },
  move_waiting: {
    retry: 'soon',
    exit: exitCodes.noVerdict,
    means: 'The agent is leaving its cell, and something of it is still open there.',
    fix: 'Answer or withdraw what the message names, and run the same command again.',
  },
  move_differs: {
    retry: 'never',
    exit: exitCodes.differs,
    means: 'The agent was moved, and its old cell has since had something else to bring along.',
    fix: 'Look at what the message names: block the agent in its new cell, or suspend it.',
  },
  owner_cycle: {
    retry: 'never',
    means: 'A principal would own itself through its owners.',
    fix: 'Remove one owner of the circle.',
  },
  group_missing: {
    retry: 'never',
    means: 'A `four_eyes` confirmation does not say which group it asks.',
    fix: 'Name one of `groups`.',
  },
  condition_invalid: {
    retry: 'never',
    means: 'The `when` of a condition cannot be evaluated.',
    fix: 'Correct the expression at the character that the message names.',
  },
  condition_repeated: {
    retry: 'never',
    means: 'Two conditions of one tool, or of the catalog, have the same name.',
    fix: 'Rename one of them.',
  },
  confirm_with_group: {
    retry: 'never',
    means: 'A `confirm` confirmation asks the owner only, and names a group.',
    fix: 'Remove `group`, or use `four_eyes`.',
  },
  quorum_out_of_reach: {
    retry: 'never',
    means: 'The confirmation asks for more answers than there are people to give them.',
    fix: 'Lower `quorum`, or add members.',
  },
  args_schema_invalid: {
    retry: 'never',
    means: 'The schema of a tool’s arguments is not a usable JSON Schema.',
    fix: 'Correct `argsSchema` as the message says.',
  },
  unknown_entry: {
    retry: 'never',
    means: 'The catalog has no such entry.',
    fix: 'Correct the id, or add the entry first.',
  },
  unknown_principal: {
    retry: 'never',
    means: 'The catalog has no such principal.',
    fix: 'Correct the id. `warrant catalog show` lists the principals.',
  },
  unknown_owner: {
    retry: 'never',
    means: 'The owner of a principal does not exist.',
    fix: 'Add the owner, or correct the id.',
  },
  unknown_member: {
    retry: 'never',
    means: 'A member of a group does not exist.',
    fix: 'Add the member, or correct the id.',
  },
  unknown_group: {
    retry: 'never',
    means: 'A confirmation names a group that does not exist.',
    fix: 'Add the group, or correct the id.',
  },
  unknown_confirmation: {
    retry: 'never',
    means: 'A tool or a policy names a confirmation that does not exist.',
    fix: 'Add the confirmation, or correct the id.',
  },
  unknown_capability: {
    retry: 'never',
    means: 'A limit names a tool that does not exist.',
    fix: 'Add the tool, or correct the id.',
  },
  unknown_sender: {
    retry: 'never',
    means: '`trustedEvidence` names a sender who does not exist.',
    fix: 'Add the sender, or correct the id.',
  },
  unknown_callback: {
    retry: 'never',
    means: 'A policy names a callback that the module does not export.',
    fix: 'Export a function of that name, or correct the name.',
  },
  seed_missing: {
    retry: 'never',
    means: 'The folder holds no seed.',
    fix: 'Write `graph.json` or `catalog.json` there.',
  },
  table_invalid: {
    retry: 'never',
    means: 'A table of commands says what cannot be, or cannot be read.',
    fix: 'Correct the place that the message names; docs/rules/shell-commands.md has the words.',
  },
  seed_unreadable: {
    retry: 'never',
    means: 'A file of the seed cannot be read, or is not JSON.',
    fix: 'Correct the file at the place that the message names.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
