// Texts with something sensitive in them, and what is shown of each. Written before the detectors.

export interface TextCase {
  readonly name: string
  readonly text: string
  readonly shown: string
}

function all(name: string, ...texts: readonly string[]): TextCase[] {
  return texts.map((text) => ({ name, text, shown: '[REDACTED]' }))
}

function one(name: string, text: string, shown: string): TextCase {
  return { name, text, shown }
}

/** Credentials stand in two parts, so that no scanner of sources takes them for any. */
function joined(...parts: readonly string[]): string {
  return parts.join('')
}

const header = 'eyJhbGciOiJIUzI1NiJ9'
const claims = 'eyJzdWIiOiJ1c2VyMSJ9'
const signature = 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV'
const webToken = `${header}.${claims}.${signature}`
const githubToken = joined('ghp_', '16C7e42F292c6912E7710c838347Ae178B4a')
const awsKey = 'AKIAIOSFODNN7EXAMPLE'
export const privateKey = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEpAIBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1',
  'iWlX9HNavcydATJc1f0DpzF0u4zY8PY24RVoW8vk+bJANPp1o2IAkeajCaF3w9nf',
  '-----END RSA PRIVATE KEY-----',
].join('\n')

export const foundCases: readonly TextCase[] = [
  ...all(
    'e-mail',
    'user@example.com',
    'first.last@company.co.uk',
    'name+tag@domain.org',
    'user_name@sub.domain.com',
    'user-name@example.io',
    'jörg@exämple.de',
  ),
  ...all(
    'telephone',
    '+1-555-123-4567',
    '(555) 123-4567',
    '555-123-4567',
    '555.123.4567',
    '+44 20 7946 0958',
    '(020) 7946-0958',
    '+1 800 555 0199',
    '07700 900 966',
    '0494 12 34 56',
    '01.23.45.67.89',
    '0044 20 7946 0958',
    '+15551234567',
    '+49 30 901820',
    '+33 6 12 34 56 78',
  ),
  one('telephone at the end of a sentence', 'Call 555-123-4567.', 'Call [REDACTED].'),
  one('telephone behind its word', 'phone: 5551234567', 'phone: [REDACTED]'),
  ...all(
    'card',
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '5500000000000004',
    '378282246310005',
    '3782 822463 10005',
    '30569309025904',
    '4222222222222',
    '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    '41111 11111 11111 1',
    '4111  1111\n1111\t1111',
    '4111\u200b1111\u200b1111\u200b1111',
    '4111\u00a01111\u00a01111\u00a01111',
    '4111\u20131111\u20131111\u20131111',
    '４１１１１１１１１１１１１１１１',
    `\u0664${'\u0661'.repeat(15)}`,
  ),
  one('card among words', 'pay 4111 1111 1111 1111 today', 'pay [REDACTED] today'),
  one('two cards', '4111111111111111, 5500000000000004', '[REDACTED], [REDACTED]'),
  one('card by its word', 'card number: 1234 5678 9012 3456', 'card number: [REDACTED]'),
  one('card by its brand', 'visa 1234567890123', 'visa [REDACTED]'),
  one('code of a card', 'cvv: 123', 'cvv: [REDACTED]'),
  ...all('social security', '123-45-6789', '123 45 6789', '123\u201145\u20116789'),
  one('social security by its word', 'SSN 123456789', 'SSN [REDACTED]'),
  ...all(
    'account',
    'GB82WEST12345698765432',
    'GB82 WEST 1234 5698 7654 32',
    'DE89370400440532013000',
    'de89 3704 0044 0532 0130 00',
    'FR1420041010050500013M02606',
  ),
  one('account among words', 'to GB82 WEST 1234 5698 7654 32 now', 'to [REDACTED] now'),
  ...all('bearer', 'Bearer abc123XYZ', 'bearer eyJhbGciOiJIUzI1NiJ9', 'BEARER abcdef'),
  one(
    'bearer in a header',
    'Authorization: Bearer my-token+value/here==',
    'Authorization: [REDACTED]',
  ),
  one('basic', 'Authorization: Basic dXNlcjpwYXNz', 'Authorization: [REDACTED]'),
  one('basic alone', 'sent Basic dXNlcjpwYXNz to it', 'sent [REDACTED] to it'),
  ...all('web token', webToken),
  one('web token among words', `use ${webToken} here`, 'use [REDACTED] here'),
  one('web token over lines', `eyJhbGciOi\nJIUzI1NiJ9.${claims}.${signature}`, '[REDACTED]'),
  one('key word', 'Set api_key=ABCDEFGH12345678 in config', 'Set api_key=[REDACTED] in config'),
  one('key word', 'apikey: sk-proj-abc123defgh456', 'apikey: [REDACTED]'),
  one('key word', 'API_KEY = MySecretKeyValue1', 'API_KEY = [REDACTED]'),
  one('key word', 'access_key ABCD1234EFGH5678', 'access_key [REDACTED]'),
  one('key word', 'api-token=someRandomToken99', 'api-token=[REDACTED]'),
  one('key word in JSON', 'x {"api_key": "abcdefgh12"}', 'x {"api_key": "[REDACTED]"}'),
  one(
    'key word in escaped JSON',
    '{\\"token\\": \\"abcdefgh12\\"}',
    '{\\"token\\": \\"[REDACTED]\\"}',
  ),
  one('token', 'token=abcdefgh1234', 'token=[REDACTED]'),
  one('password', 'DB_PASSWORD=hunter2', 'DB_PASSWORD=[REDACTED]'),
  one('password in a quote', "password: 'two words'", "password: '[REDACTED]'"),
  one(
    'password in an address',
    'https://a.example/?pwd=hunter2&b=1',
    'https://a.example/?pwd=[REDACTED]&b=1',
  ),
  one('digits by a key word', 'secret: 1234567890123', 'secret: [REDACTED]'),
  ...all(
    'known form',
    awsKey,
    githubToken,
    joined('github_pat_', '11ABCDEFG0abcdefghij_klmnopqrst'),
    joined('xoxb-', '17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy'),
    joined('sk-ant-', 'api03-abcdefghijklmnop'),
    joined('sk-proj-', 'abcdefghijklmnopqrst'),
    joined('sk_live_', '4eC39HqLyjWDarjtT1zdp7dc'),
    joined('AIza', 'SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'),
    joined('glpat-', 'abcdefghij0123456789'),
    joined('npm_', 'abcdefghijklmnopqrstuvwxyz0123456789'),
    joined('hf_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH'),
    joined('SUAC', 'SSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY'),
  ),
  one('known form over white space', 'it is AKIA IOSF ODNN 7EXA MPLE now', 'it is [REDACTED] now'),
  one('known form over hyphens', 'AKIA-IOSF-ODNN-7EXA-MPLE', '[REDACTED]'),
  one('known form with zero width', awsKey.replace('7', '\u200d7\ufeff'), '[REDACTED]'),
  ...all(
    'by chance',
    'zaCELgL0imfnc8mVLWwsAawjYr4Rx',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'k8d9f3j2l1m4n7p6q5r8s9t2v3w4x5y6',
  ),
  ...all('private key', privateKey),
  one('private key among words', `a\n${privateKey}\nb`, 'a\n[REDACTED]\nb'),
  one('private key without an end', privateKey.slice(0, -40), '[REDACTED]'),
  one(
    'connection string',
    'postgresql://admin:s3cret@db.example.com/mydb',
    'postgresql://[REDACTED]@db.example.com/mydb',
  ),
  one('connection string', 'redis://default:hunter2@cache:6379', 'redis://[REDACTED]@cache:6379'),
  one('password with an at', 'mysql://u:p@ss@w0rd@host:3306/s', 'mysql://[REDACTED]@host:3306/s'),
  one('password with a slash', 'amqp://guest:a/b@mq.internal/v', 'amqp://[REDACTED]@mq.internal/v'),
  one('password without a user', 'redis://:hunter2@cache', 'redis://[REDACTED]@cache'),
  one('percent', 'to=ann%40example.com&x=1', 'to=[REDACTED]&x=1'),
  one('percent whole', '%61%6e%6e%40%65%78%61%6d%70%6c%65%2e%63%6f%6d', '[REDACTED]'),
  one('entities', 'ann&#64;example&#x2e;com', '[REDACTED]'),
  one('named entities', 'ann&commat;example&period;com!', '[REDACTED]!'),
  one('escapes', 'x ann\\u0040example.com y', 'x [REDACTED] y'),
  one('base64', 'x YW5uQGV4YW1wbGUuY29t y', 'x [REDACTED] y'),
  one('base64 of digits', 'NDExMTExMTExMTExMTExMQ==', '[REDACTED]'),
  one('base64 in a path', '/files/YW5uQGV4YW1wbGUuY29t', '/files/[REDACTED]'),
  one('hexadecimal', '616e6e406578616d706c652e636f6d', '[REDACTED]'),
  one('hexadecimal with its sign', '0x616e6e406578616d706c652e636f6d', '[REDACTED]'),
  one('hexadecimal apart', '61 6e 6e 40 65 78 61 6d 70 6c 65 2e 63 6f 6d', '[REDACTED]'),
  one('JSON in a string', '{"password":"x","a":1}', '{"password":"[REDACTED]","a":1}'),
  one('JSON in a string', '[{"ssn":123456789}]', '[{"ssn":"[REDACTED]"}]'),
  one('a key twice in JSON', '{"a":"ann@example.com","a":1}', '{"a":"[REDACTED]","a":1}'),
  one('e-mail over white space', 'ann @ example.com', '[REDACTED]'),
  one('e-mail over a line', 'to ann@example-\nhost.com now', 'to [REDACTED] now'),
  one('e-mail with zero width', 'ann\u200b@exam\u00adple.com', '[REDACTED]'),
]
