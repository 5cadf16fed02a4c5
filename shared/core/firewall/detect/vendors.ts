// Credentials whose issuers gave them a form that can be known: prefixes and lengths as their
// documentation has them. Linear.

const digitsAndLetters = '[A-Za-z0-9]'
const url = '[A-Za-z0-9_-]'

/** `from` is the shortest that counts; where `exact`, longer ones are something else. */
interface VendorToken {
  readonly prefix: string
  readonly of: string
  readonly from: number
  readonly exact?: true
}

const tokens: readonly VendorToken[] = [
  // Amazon
  {
    prefix: '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)',
    of: '[A-Z0-9]',
    from: 16,
    exact: true,
  },
  // GitHub and GitLab
  { prefix: 'gh[oprsu]_', of: digitsAndLetters, from: 36 },
  { prefix: 'github_pat_', of: '[A-Za-z0-9_]', from: 22 },
  { prefix: 'gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-', of: url, from: 20 },
  // Slack
  { prefix: 'xox[abeoprs](?:\\.xox[bp])?-', of: '[A-Za-z0-9-]', from: 10 },
  { prefix: 'xapp-', of: '[A-Za-z0-9-]', from: 10 },
  { prefix: 'hooks\\.slack\\.com/(?:services|workflows)/', of: '[A-Za-z0-9/]', from: 20 },
  // Models
  { prefix: 'sk-(?:ant|or)-', of: url, from: 16 },
  { prefix: 'sk-', of: url, from: 20 },
  { prefix: '(?:gsk_|hf_|r8_|xai-|pplx-|sk_)', of: digitsAndLetters, from: 30 },
  // Payment
  { prefix: '(?:pk|rk|sk)_(?:live|prod|test)_', of: digitsAndLetters, from: 10 },
  { prefix: 'whsec_', of: '[A-Za-z0-9+/]', from: 24 },
  { prefix: 'sq0(?:atp|csp|idp)-', of: url, from: 22 },
  // Google
  { prefix: 'AIza', of: url, from: 35, exact: true },
  { prefix: 'ya29\\.', of: url, from: 20 },
  { prefix: 'GOCSPX-', of: url, from: 28 },
  // Registries, clouds and services
  { prefix: 'npm_', of: digitsAndLetters, from: 36 },
  { prefix: 'pypi-', of: url, from: 50 },
  { prefix: 'do[oprs]_v1_', of: '[0-9a-f]', from: 64 },
  { prefix: 'dapi', of: '[0-9a-f]', from: 32 },
  { prefix: 'dckr_pat_', of: url, from: 20 },
  { prefix: 'shp(?:at|ca|pa|ss)_', of: '[0-9a-fA-F]', from: 32 },
  { prefix: 'SG\\.', of: '[A-Za-z0-9_.-]', from: 60 },
  { prefix: 'key-', of: '[0-9a-f]', from: 32, exact: true },
  { prefix: '(?:AC|SK)', of: '[0-9a-f]', from: 32, exact: true },
  { prefix: 'hv[bs]\\.', of: url, from: 24 },
  { prefix: '(?:lin_api_|ntn_|sbp_|rubygems_|glsa_|dp\\.pt\\.|PMAK-|sntrys_)', of: url, from: 30 },
  { prefix: '[0-9]{8,10}:AA', of: url, from: 33 },
  { prefix: 'AGE-SECRET-KEY-1', of: '[0-9A-Z]', from: 50 },
  // NATS seeds
  { prefix: 'S[ACNOUX]', of: '[A-Z2-7]', from: 56, exact: true },
]

const forms = tokens.map(({ prefix, of, from, exact = false }) => {
  return exact ? `${prefix}${of}{${from}}(?!${digitsAndLetters})` : `${prefix}${of}{${from},}={0,2}`
})

export const vendorTokens = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})`, 'g')

const splitForms = tokens.map(({ prefix, of, from }) => `${prefix}${of}{${from}}`)

/**
 * The same with gaps taken out, each only as far as it must be long: what follows may be other
 * words.
 */
export const joinedVendorTokens = new RegExp(splitForms.join('|'), 'g')
