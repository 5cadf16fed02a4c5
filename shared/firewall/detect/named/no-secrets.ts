// Names that say of a value by chance that it is no secret: digests, public keys, identifiers, and
// what leads to the next page of a list.

const digests = [
  '(?:sha[-_]?(?:1|2|224|256|384|512)|md5|digest|checksum|integrity|fingerprint|thumbprint|etag',
  '|(?<!pass[-_]?|password[-_]?|passwd[-_]?)hash|crc(?:32c?|64)?|sig(?:nature)?|public[-_]?key',
  '|pub[-_]?key)(?:[-_]?(?:value|base64|b64|hex))?$',
].join('')
const pages = '(?:next|prev|previous|page|continuation|start|end)[-_]?(?:page[-_]?)?(?:token|key)$'
const places =
  '(?:cursor|marker|checkpoint|bookmark|iterator|identifier|cipher(?:text)?(?:[-_]?blob)?)$'
const noSecret = new RegExp([digests, pages, places].join('|'), 'i')

const identifier = /(?:^|[a-z0-9_.-])(?:[iI]d|ID|Arn|ARN)$|(?:^|[_.-])(?:id|arn)$/
/** Who knows one of these is let in. */
const session = /sess|secret|sid$|cookie|auth|token|login|access[-_]?key/i

const nameLengthMax = 64

/** Of a name that something is given to. */
export function namesNoSecret(name: string): boolean {
  if (name.length > nameLengthMax) return false
  return noSecret.test(name) || (identifier.test(name) && !session.test(name))
}

const reach = 96
const given = new RegExp(
  [
    `(?:^|[^\\w.:-])(?<name>-{0,2}[A-Za-z_][\\w.:-]{0,${nameLengthMax}}?)["'\\\\\`]{0,3}`,
    `(?:\\]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}|>\\s{0,4}|(?<option>[ \\t]{1,4}))["'\\\\\`]{0,3}$`,
  ].join(''),
)

/** Whether such a name stands before that place, and what is there is given to it. */
export function isOfNoSecret(text: string, at: number): boolean {
  const groups = given.exec(text.slice(Math.max(0, at - reach), at))?.groups
  const { name = '', option } = groups ?? {}
  if (option !== undefined && !name.startsWith('-')) return false
  return namesNoSecret(name.split(':').at(-1) ?? name)
}
