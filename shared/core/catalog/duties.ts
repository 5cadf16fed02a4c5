// The roles of the catalog that give people a duty beyond their own agents.

/** Signs change sets, and ends eras. */
export const administratorRole = 'administrator'

/** Rules on what learning proposes, as administrators may. */
export const curatorRole = 'curator'
