// The roles of the catalog that give people a duty beyond their own agents.

/** Signs change sets, and ends eras. */
export const policyAdminRole = 'policy-admin'

/** Rules on what learning proposes, as policy admins may. */
export const curatorRole = 'curator'
