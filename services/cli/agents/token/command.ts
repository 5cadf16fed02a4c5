// `warrant token`: warrants as signed texts, minted, verified, narrowed and presented.
import type { Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'

export function registerToken(program: Command): void {
  const token = program
    .command('token')
    .description('warrants as signed texts that any program verifies (for logins see `tokens`)')
  registerMint(token)
  registerVerify(token)
  registerNarrow(token)
  registerPresent(token)
}

function registerMint(token: Command): void {
  const mint = token
    .command('mint')
    .description('print the token of a verdict that allows')
    .argument('<intent>', 'intent ID, or its last characters')
    .option('--as <issuer>', 'the principal that signs (else the only issuer whose key is here)')
    .option('--key <file>', 'the key to sign with, a file or a name')
    .option('--audience <who>', 'who is to take it (else the gateways of the realm)')
    .action(running(async () => (await import('./mint.ts')).mintToken))
  examples(mint, ['warrant token mint 01JQ2Z', 'warrant token mint 01JQ2Z --as gate --json'])
}

function registerVerify(token: Command): void {
  const verify = token
    .command('verify')
    .description('verify a token, or lines of JSON with one each; it needs no log')
    .argument('[token]', 'the token; without it lines of JSON are read from standard input')
    .option('--jwks <file>', 'the issuers’ public keys (else those of the log’s catalog)')
    .option('--audience <who>', 'who takes it (else the gateways of the realm)')
    .option('--dpop <text>', 'the proof of the holder, from `warrant token present`')
    .option('--method <method>', 'of the HTTP request in which it is presented')
    .option('--url <url>', 'of that HTTP request, without query')
    .option('--principal <id>', 'who is authenticated, where the token names no key')
    .action(running(async () => (await import('./verify.ts')).verifyTokens))
  examples(verify, [
    'warrant token verify "$TOKEN" --jwks keys.json',
    'warrant token verify --jwks keys.json < tokens.ndjson',
    '',
    'A line is {"token"} with, if wanted, "dpop", "method", "url", "principal", "audience" and',
    '"now" (a time). Without a proof or a principal the holder is reported as `not_checked`.',
    'It ends with 3 where a token is refused. Whether it was used or revoked only the log knows.',
  ])
}

function registerNarrow(token: Command): void {
  const narrow = token
    .command('narrow')
    .description('pass a token on to a delegate, with less than it permits')
    .argument('<token>', 'the token, with all its links')
    .requiredOption('--to <key>', 'the public key of the delegate, `ed25519:…`')
    .requiredOption('--key <file>', 'the key of its holder, a file or a name')
    .option('--name <id>', 'what the delegate is called')
    .option('--fields <names>', 'only these fields, with commas between')
    .option('--max-rows <n>', 'at most so many rows')
    .option('--seconds <n>', 'good for so long from now')
    .action(running(async () => (await import('./narrow.ts')).narrowToken))
  examples(narrow, [
    'warrant token narrow "$TOKEN" --key my-agent --to ed25519:… --max-rows 5 --seconds 60',
  ])
}

function registerPresent(token: Command): void {
  const present = token
    .command('present')
    .description('print the proof that its holder sends with a token (DPoP)')
    .argument('[token]', 'the token, with all its links; without it the key alone is proved')
    .requiredOption('--key <file>', 'the key of its holder, a file or a name')
    .option('--audience <who>', 'who takes it, within a process (else its gateways)')
    .option('--method <method>', 'of the HTTP request in which it is presented')
    .option('--url <url>', 'of that HTTP request, without query')
    .action(running(async () => (await import('./narrow.ts')).presentToken))
  examples(present, [
    'warrant token present "$TOKEN" --key my-agent --method POST --url https://gate.example/call',
    'warrant token present --key my-agent --method POST --url https://gate.example/v1/handles/r1',
  ])
}
