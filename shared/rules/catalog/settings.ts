// The settings of a catalog that a file has as a whole, beside its entries.

/**
 * The pin of the callbacks is not among them: it goes with their module, and a file that does not
 * mention it leaves it be.
 */
export const catalogSettings: readonly string[] = [
  'limits',
  'trustedEvidence',
  'knownConstraints',
  'learning',
  'now',
  'conditions',
  'defaults',
  'budgets',
  'servers',
  'attention',
  'work',
]
