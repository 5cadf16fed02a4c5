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
  { prefix: 'gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat|wt)-', of: url, from: 20 },
  // Slack
  { prefix: 'xox[abceprs](?:\\.xox[bp])?-(?=[A-Za-z-]{0,40}[0-9])', of: '[A-Za-z0-9-]', from: 10 },
  { prefix: 'xoxo-(?=[0-9])', of: '[A-Za-z0-9-]', from: 10 },
  { prefix: 'xapp-', of: '[A-Za-z0-9-]', from: 10 },
  { prefix: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/', of: '[A-Za-z0-9/]', from: 20 },
  // Models
  { prefix: 'sk-(?:ant|or)-', of: url, from: 16 },
  { prefix: 'sk-', of: url, from: 20 },
  { prefix: '(?:gsk_|r8_|xai-|pplx-|sk_)', of: digitsAndLetters, from: 30 },
  { prefix: '(?:hf_|api_org_)', of: digitsAndLetters, from: 34, exact: true },
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
  {
    prefix: '(?:lin_api_|ntn_|sbp_|rubygems_|glsa_|dp\\.pt\\.|PMAK-|sntry[asu]_)',
    of: url,
    from: 30,
  },
  { prefix: '(?:bot)?[0-9]{8,10}:AA', of: url, from: 33 },
  { prefix: 'AGE-SECRET-KEY-1', of: '[0-9A-Z]', from: 50 },
  // NATS seeds
  { prefix: 'S[ACNOUX]', of: '[A-Z2-7]', from: 56, exact: true },
]

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const hex = '[0-9a-f]'

const underscored = [
  'nfp|vcp|vci|vca|vcr|vck|ddp|bkua|pscale_tkn|pscale_pw|pscale_oauth|sgp|rdme',
  'dnkey|figd|figo|pul|pnu|tfp|sbp|sb_secret|glc|glsa|gloas|gldt|hlt|ops|rpa|rk|fo1',
  'fm[12][ar]?',
].join('|')

/** Looked for as they are alone: with gaps taken out, other words look like these. */
const whole: readonly VendorToken[] = [
  // Keys of LaunchDarkly, and tokens of others that end in a UUID.
  { prefix: `(?:api|sdk|mob|rel)-${uuid}`, of: '', from: 0 },
  { prefix: `pat-(?:na|eu|ap)[0-9]-${uuid}`, of: '', from: 0 },
  { prefix: `access-(?:sandbox|development|production)-${uuid}`, of: '', from: 0 },
  { prefix: `HRKU-(?:AA[A-Za-z0-9_-]{58}|${uuid})`, of: '', from: 0 },
  { prefix: `(?:CFPAT|p8e|duffel_live|duffel_test)-`, of: url, from: 32 },
  // Addresses that take messages from everyone who knows them.
  {
    prefix: [
      `[a-z0-9-]{0,63}\\.?(?:webhook\\.office|office)\\.com/webhook(?:b2)?/${uuid}@`,
      `${uuid}/IncomingWebhook/`,
    ].join(''),
    of: '[A-Za-z0-9/_-]',
    from: 20,
  },
  { prefix: 'logic\\.azure\\.com[:0-9]{0,6}/workflows/', of: '[A-Za-z0-9/?&=%._-]', from: 32 },
  {
    prefix: 'discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/',
    of: url,
    from: 40,
  },
  { prefix: 'hooks\\.zapier\\.com/hooks/catch/[0-9]{4,12}/', of: '[A-Za-z0-9/]', from: 5 },
  {
    prefix: 'chat\\.googleapis\\.com/v1/spaces/[A-Za-z0-9_-]{4,32}/messages\\?key=',
    of: '[A-Za-z0-9_&=%-]',
    from: 30,
  },
  // Clouds and hosts
  { prefix: 'LTAI', of: digitsAndLetters, from: 16 },
  { prefix: 'AKID', of: digitsAndLetters, from: 32, exact: true },
  {
    prefix: `(?:${underscored})[_-]`,
    of: url,
    from: 32,
  },
  { prefix: '1//0', of: url, from: 40 },
  { prefix: 'tskey-(?:[a-z]{2,12}-)?', of: '[A-Za-z0-9-]', from: 20 },
  { prefix: 'NR(?:AK|JS|II|RA|AA)-', of: digitsAndLetters, from: 19 },
  { prefix: 'dt0[a-z][0-9]{2}\\.', of: '[A-Z0-9.]', from: 60 },
  { prefix: '[A-Za-z0-9]{14}\\.atlasv1\\.', of: '[A-Za-z0-9_=-]', from: 60 },
  { prefix: 'dp\\.(?:st|ct|sa|scim|audit)\\.', of: '[A-Za-z0-9._-]', from: 40 },
  { prefix: '[A-Za-z0-9_~.]{3}8Q~', of: '[A-Za-z0-9_~.-]', from: 31 },
  { prefix: 'sha256~', of: url, from: 43 },
  { prefix: 'dckr_oat_', of: url, from: 20 },
  // Work, mail and payment
  { prefix: '(?:ATATT3|ATCTT3|ATBB|ATOA)', of: '[A-Za-z0-9_=-]', from: 28 },
  { prefix: `pat[A-Za-z0-9]{14}\\.`, of: hex, from: 64 },
  { prefix: 'secret_', of: digitsAndLetters, from: 43, exact: true },
  { prefix: 'xkeysib-', of: '[0-9A-Za-z-]', from: 64 },
  { prefix: `${hex}{32}-us`, of: '[0-9]', from: 1 },
  { prefix: 'EA(?:A[A-Z]|C|G)', of: digitsAndLetters, from: 60 },
  { prefix: '[0-9]{15,16}\\|', of: url, from: 27, exact: true },
  { prefix: 'EZ[AT]K', of: digitsAndLetters, from: 54 },
  { prefix: '(?:shippo|test|live)_(?:live|test|pub)_', of: digitsAndLetters, from: 30 },
  { prefix: 'FLW(?:SEC|PUB)K(?:_TEST)?-', of: '[A-Za-z0-9-]', from: 12 },
  { prefix: 'amzn\\.mws\\.', of: '[0-9a-f-]', from: 36 },
  { prefix: `access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$`, of: hex, from: 32 },
  { prefix: '(?:live|test)_(?:pub_)?', of: hex, from: 35, exact: true },
  { prefix: 'CCI(?:PAT|PRJ)_', of: '[A-Za-z0-9_]', from: 40 },
  { prefix: 'AKCp[0-9]', of: digitsAndLetters, from: 64 },
  { prefix: 'lsv2_(?:pt|sk)_', of: '[0-9a-f_]', from: 32 },
  { prefix: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.', of: url, from: 27 },
  { prefix: 'AQVN', of: url, from: 35 },
  { prefix: 'oy2', of: '[a-z0-9]', from: 43, exact: true },
  { prefix: 'sl\\.', of: url, from: 100 },
  { prefix: 'A3-[A-Z0-9]{6}-', of: '[A-Z0-9-]', from: 28 },
  // Tools that check, deploy, map, and search
  { prefix: 'sq[apu]_', of: hex, from: 40, exact: true },
  { prefix: 'API-', of: '[A-Z0-9]', from: 26, exact: true },
  { prefix: `v1\\.0-${hex}{24}-`, of: hex, from: 146 },
  { prefix: '[pst]k\\.eyJ[A-Za-z0-9_-]{20,512}\\.', of: url, from: 20 },
  { prefix: `[ps]at\\.[A-Za-z0-9_-]{22}\\.${hex}{24}\\.`, of: digitsAndLetters, from: 20 },
  { prefix: 's-s4t2(?:ud|af)-', of: hex, from: 64 },
  { prefix: 'sm_aat_', of: digitsAndLetters, from: 16 },
  { prefix: 'crsr_', of: hex, from: 64 },
  { prefix: 'fc-', of: hex, from: 32, exact: true },
  { prefix: `zpka_${hex}{32}_`, of: hex, from: 8 },
  { prefix: `(?:waka_|ctx7sk-)${uuid}`, of: '', from: 0 },
  // Models, databases, mail and payment: known by prefix and length alone
  { prefix: 'csk-', of: '[a-z0-9]', from: 48, exact: true },
  { prefix: 'e2b_', of: hex, from: 40 },
  { prefix: 'esecret_', of: '[a-z0-9]', from: 25 },
  { prefix: 'key_', of: hex, from: 64, exact: true },
  { prefix: 'KGAT_', of: hex, from: 32 },
  { prefix: 'napi_', of: '[a-z0-9]', from: 48 },
  { prefix: 'npg_', of: digitsAndLetters, from: 12 },
  { prefix: 'AVNS_', of: url, from: 18 },
  { prefix: 'sb_secret_', of: url, from: 30 },
  { prefix: `st\\.[0-9a-f-]{24,36}\\.${hex}{32}\\.`, of: hex, from: 32 },
  { prefix: 'hc[a-z](?:i[ck]|[lm]k)_', of: '[0-9a-z]', from: 58 },
  { prefix: 'sig=[A-Za-z0-9%+/]{43,60}%', of: '[3Dd]', from: 2, exact: true },
  { prefix: 'vercel_blob_rw_', of: '[A-Za-z0-9_]', from: 40 },
  { prefix: 'mlsn\\.', of: hex, from: 64 },
  { prefix: 'pdl_(?:live|sdbx)_apikey_', of: '[A-Za-z0-9_]', from: 40 },
  { prefix: 'polar_(?:oat|pat|at|rt|whs)_', of: url, from: 32 },
  { prefix: 'rzp_(?:live|test)_', of: digitsAndLetters, from: 14 },
  { prefix: 'pk_', of: hex, from: 34, exact: true },
  { prefix: 'pk_[0-9]{5,10}_', of: '[A-Z0-9]', from: 32 },
  { prefix: '[0-9]/[0-9]{10,20}/[0-9]{10,20}:', of: hex, from: 32 },
  { prefix: '00D[A-Za-z0-9]{12,15}!', of: '[A-Za-z0-9._]', from: 80 },
  { prefix: 'IG(?:QV|AA)', of: digitsAndLetters, from: 100 },
  { prefix: 'AAAA[A-Za-z0-9_-]{7}:APA91b', of: url, from: 100 },
  { prefix: '(?:cal_(?:live|test)|lin_oauth|sourcegraph)_', of: hex, from: 32 },
]

/** All of them. */
export const issuedTokens: readonly VendorToken[] = [...tokens, ...whole]

const forms = issuedTokens.map(({ prefix, of, from, exact = false }) => {
  if (of === '') return `${prefix}(?!${digitsAndLetters})`
  return exact ? `${prefix}${of}{${from}}(?!${digitsAndLetters})` : `${prefix}${of}{${from},}={0,2}`
})

export const vendorTokens = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})`, 'g')

const splitForms = tokens.map(({ prefix, of, from }) => `${prefix}${of}{${from}}`)

/**
 * The same with gaps taken out, each only as far as it must be long: what follows may be other
 * words.
 */
export const joinedVendorTokens = new RegExp(splitForms.join('|'), 'g')
