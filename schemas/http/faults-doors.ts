// Faults of doors: processes through which agents ask that are no program of ours.
import type { FaultEntry } from '../faults/entry.ts'

export const doorFaults = {
  caller_refused: {
    retry: 'never',
    means: 'The request has no credential of a principal, or one that does not count any more.',
    fix:
      'Send `Authorization: Bearer <token>`, with a token of `warrant tokens create`, or one of ' +
      'the issuer whose subject the catalog has in `identities` of a principal.',
  },
  issuer_unreachable: {
    retry: 'soon',
    means: 'The issuer of OpenID Connect does not answer, or is not what it is called.',
    fix: 'Try again after the seconds in `Retry-After`; the log of the server says what is wrong.',
  },
  door_refused: {
    retry: 'never',
    means: 'This door does not speak for that principal: the catalog does not assign it.',
    fix:
      'Put the door into `via` of the principal in `catalog.json`, such as `"via": ["http"]`, ' +
      'then `warrant apply`. No door speaks for those who decide for others: by `http` they ' +
      'read what is theirs, and send answers that they signed.',
  },
  caller_busy: {
    retry: 'soon',
    means: 'This caller sends more requests than the server takes, or waits at too many at once.',
    fix: 'Try again after the seconds in `Retry-After`.',
  },
  door_closed: {
    retry: 'soon',
    means: 'The server is closing and takes no more requests.',
    fix: 'Send the request again, to this server once it is back, or to another.',
  },
  host_refused: {
    retry: 'never',
    means: 'The request names a host that this server does not answer for.',
    fix: 'Address the server as it listens, or give the address that clients use with `--url`.',
  },
  origin_refused: {
    retry: 'never',
    means: 'The request comes from a page in a browser that this server does not answer.',
    fix: 'Allow the origin with `--origin`, if its pages are to ask.',
  },
  question_too_long: {
    retry: 'never',
    means: 'To answer takes more of the log, or more time, than one call may take here.',
    fix: 'Ask about less, such as a later `since`; let a call take longer with `--time`.',
  },
  reader_refused: {
    retry: 'never',
    means: 'The catalog does not let that principal read all of the log.',
    fix:
      'Put the door `audit` into `via` of the principal in `catalog.json`, and `warrant apply`. ' +
      'Policy admins and curators may read without it.',
  },
  csrf_refused: {
    retry: 'never',
    means: 'The cookie of a session comes with a request that no page of this server has made.',
    fix:
      'Ask from a page of this server, and send what `GET /auth/session` has as `csrf` in ' +
      '`x-csrf-token` with each request that changes something. Other programs take a token.',
  },
  sign_in_refused: {
    retry: 'never',
    means: 'Nothing shows who the person is that comes back from the issuer.',
    fix: 'Begin again at `/auth/sign-in`, in the same browser.',
  },
  signature_needed: {
    retry: 'never',
    means: 'The principal has a key, and without its signature nothing counts as its word.',
    fix: 'Send the whole message with its signature, or take a principal without keys.',
  },
  not_started: {
    retry: 'never',
    means: 'An outcome is reported of what was never started.',
    fix: 'Start it first; only after that answer does the tool run.',
  },
  outcome_recorded: {
    retry: 'never',
    means: 'Another outcome of this intent is in the log already.',
    fix: 'Nothing: the first one stands.',
  },
  server_unreachable: {
    retry: 'soon',
    means: 'A server over HTTP cannot be reached, or does not answer in time.',
    fix: 'Check its address and that it runs. What may be repeated was tried again already.',
  },
  answer_unread: {
    retry: 'never',
    means: 'A server over HTTP answers what this client cannot read.',
    fix: 'Check that the address is that of the server, and that both are of one version.',
  },
  url_refused: {
    retry: 'never',
    means: 'The address of a server over HTTP is not one that a client sends to.',
    fix: 'Give an `https:` URL without query and credentials; `http:` is for the own machine.',
  },
  not_over_http: {
    retry: 'never',
    means: 'A client over HTTP cannot do that.',
    fix: 'The message says what can be done instead.',
  },
  token_unknown: {
    retry: 'never',
    means: 'No token has that id.',
    fix: '`warrant tokens list` has the ids.',
  },
  token_file_invalid: {
    retry: 'never',
    means: 'The file of tokens cannot be read as one, or others than its owner may read it.',
    fix: 'Restore it, or remove it and create the tokens again; `chmod 600` it.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
