// Every variable of the environment that the program reads: its name, what it means, and what
// holds without it.
import { outreachSettings } from './outreach-settings.ts'
import type { Setting } from './setting.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const logSettings = {
  log: {
    name: 'WARRANT_LOG',
    means: 'The log: a file, or `nats://host:port`. `--log` comes first.',
    unset: 'the nearest `.warrant/log.db`, from the current folder upwards',
  },
  logId: {
    name: 'WARRANT_LOG_ID',
    means: 'The identity of the log, for clients that sign and cannot read the log.',
    expects: '`sha256:…`, as `warrant replay` prints it',
  },
  rootKey: {
    name: 'WARRANT_ROOT_KEY',
    means:
      'The key that began the log: its identifier, or `ed25519:…`. A log that another key ' +
      'began is refused. `--root-key` comes first.',
    unset: 'any log is accepted',
  },
  home: {
    name: 'WARRANT_HOME',
    means: 'The folder for callback modules and snapshots of a log on servers.',
    unset: 'the nearest `.warrant`, from the current folder upwards',
  },
} as const satisfies Readonly<Record<string, Setting>>

const processSettings = {
  logLevel: {
    name: 'WARRANT_LOG_LEVEL',
    means: 'The least level of the log lines on standard error.',
    unset: '`info` for `warrant up` and `warrant project`, `warn` in programs, else no lines',
    expects: `one of ${logLevels.join(', ')}`,
  },
  listen: {
    name: 'WARRANT_LISTEN',
    means: 'Where `warrant up` serves metrics and health. `--listen` comes first.',
    unset: 'nothing is served',
    expects: 'a port, or host:port',
  },
  hookIdle: {
    name: 'WARRANT_HOOK_IDLE',
    means:
      'How many seconds the process that keeps a log open for `warrant hook run` waits for the ' +
      'next call before it ends; with 0 none is started or asked.',
    unset: '600',
    expects: 'a whole number, at most 999999',
  },
  webhookSecretFile: {
    name: 'WARRANT_WEBHOOK_SECRET_FILE',
    means: 'A file with the secret that signs webhooks of reviews. `--webhook-secret` comes first.',
    unset: 'they are not signed',
  },
  model: {
    name: 'WARRANT_MODEL',
    means: 'The model that proposes answers in learning. `--model` comes first.',
    unset: 'people answer alone',
  },
  modelUrl: {
    name: 'WARRANT_MODEL_URL',
    means: 'Where the model is served, with the interface of Ollama. `--model-url` comes first.',
    unset: '`http://127.0.0.1:11434`',
  },
} as const satisfies Readonly<Record<string, Setting>>

const keySettings = {
  token: {
    name: 'WARRANT_TOKEN',
    means: 'The login of an agent, for `warrant hook run --url`. `--token-file` comes first.',
  },
  key: {
    name: 'WARRANT_KEY',
    means: 'The key to sign with: a file, or the name of a key. `--key` comes first.',
    unset: 'the only key of the user that fits',
  },
  keys: {
    name: 'WARRANT_KEYS',
    means: 'The folder of the user’s keys.',
    unset: '`warrant/keys` in the folder that the system has for configuration',
  },
  marks: {
    name: 'WARRANT_MARKS',
    means:
      'The folder where it is kept how far this user has seen each log, so that an older state ' +
      'of one is refused.',
    unset: '`marks` in the folder of the user’s keys',
  },
  user: {
    name: 'WARRANT_USER',
    means: 'Your id in logs that you begin, and the name of your key.',
    unset: 'made from the name of your account; `init` asks',
  },
  keyPassphraseFile: {
    name: 'WARRANT_KEY_PASSPHRASE_FILE',
    means: 'A file whose first line is the passphrase of the keys.',
    unset: 'the passphrase is asked for at the terminal',
  },
} as const satisfies Readonly<Record<string, Setting>>

const natsSettings = {
  natsNkeyFile: {
    name: 'WARRANT_NATS_NKEY_FILE',
    means: 'A file with the nkey seed of the user that connects.',
  },
  natsCredsFile: {
    name: 'WARRANT_NATS_CREDS_FILE',
    means: 'A file with credentials, instead of an nkey.',
  },
  natsOperatorFile: {
    name: 'WARRANT_NATS_OPERATOR_FILE',
    means: 'A file with the nkey seed of an operator, for `warrant log rotate`.',
    unset: 'the user that connects must be an operator',
  },
  natsCaFile: {
    name: 'WARRANT_NATS_CA_FILE',
    means: 'A file with the certificates of authorities that vouch for the servers.',
    unset: 'those of the system',
  },
  natsCertFile: {
    name: 'WARRANT_NATS_CERT_FILE',
    means: 'A file with the certificate of this client.',
  },
  natsKeyFile: {
    name: 'WARRANT_NATS_KEY_FILE',
    means: 'A file with the private key of that certificate.',
  },
  natsApi: {
    name: 'WARRANT_NATS_API',
    means: 'The prefix of the JetStream API, where an account imports it under another name.',
    unset: '`$JS.API`',
  },
} as const satisfies Readonly<Record<string, Setting>>

const gatewaySettings = {
  secrets: {
    name: 'WARRANT_SECRETS',
    means:
      'The folder with the secrets of a gateway: one file each, called as the catalog names it, ' +
      'which only its owner may read. A variable `WARRANT_SECRET_<NAME>` comes first.',
    unset: 'secrets are variables alone',
  },
  sessionChars: {
    name: 'WARRANT_SESSION_CHARS',
    means:
      'How many characters of results a gateway shows an agent in one session and hour. Where ' +
      'less than half is left it shows less of each, and with nothing left it carries no call out.',
    unset: 'only each frame is bounded',
    expects: 'a whole number, at least 10000',
  },
} as const satisfies Readonly<Record<string, Setting>>

const oidcSettings = {
  oidcIssuer: {
    name: 'WARRANT_OIDC_ISSUER',
    means:
      'The issuer of OpenID Connect that vouches for callers of `warrant up http`, as its tokens ' +
      'say it. `--oidc-issuer` comes first.',
    unset: 'tokens of `warrant tokens` alone count',
    expects: 'an https address, or an http address of this machine',
  },
  oidcAudience: {
    name: 'WARRANT_OIDC_AUDIENCE',
    means: 'What its access tokens must be for. `--oidc-audience` comes first.',
    unset: 'none of them counts',
  },
  oidcClient: {
    name: 'WARRANT_OIDC_CLIENT',
    means: 'The client as which people sign in at the issuer. `--oidc-client` comes first.',
    unset: 'no one signs in',
  },
  oidcClientSecretFile: {
    name: 'WARRANT_OIDC_CLIENT_SECRET_FILE',
    means:
      'A file whose first line is the secret of that client, which only its owner may read. ' +
      '`--oidc-client-secret` comes first.',
    unset: 'the client has none',
  },
} as const satisfies Readonly<Record<string, Setting>>

const neo4jSettings = {
  neo4jUrl: {
    name: 'WARRANT_NEO4J_URL',
    means: 'The address of Neo4j, such as `bolt://host:port`. `--neo4j` comes first.',
  },
  neo4jUser: {
    name: 'WARRANT_NEO4J_USER',
    means: 'The user that connects.',
    unset: '`neo4j`',
  },
  neo4jPasswordFile: {
    name: 'WARRANT_NEO4J_PASSWORD_FILE',
    means: 'A file with the password, which only its owner may read.',
  },
  neo4jDatabase: {
    name: 'WARRANT_NEO4J_DATABASE',
    means: 'The database.',
    unset: 'the one that the server has as its default',
  },
  neo4jCaFile: {
    name: 'WARRANT_NEO4J_CA_FILE',
    means: 'A file with the certificates of authorities that vouch for the server.',
    unset: 'those of the system',
  },
} as const satisfies Readonly<Record<string, Setting>>

const tracingSettings = {
  tracesExporter: {
    name: 'OTEL_TRACES_EXPORTER',
    means: 'Where traces go.',
    unset: '`otlp` if an endpoint is set, otherwise `none`',
    expects: '`otlp`, `console` or `none`',
  },
  tracesUrl: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    means: 'The endpoint for traces.',
  },
  otlpUrl: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    means: 'The endpoint for everything of OpenTelemetry.',
  },
  otelDisabled: {
    name: 'OTEL_SDK_DISABLED',
    means: 'With `true` no traces are made.',
  },
} as const satisfies Readonly<Record<string, Setting>>

const systemSettings = {
  configHome: {
    name: 'XDG_CONFIG_HOME',
    means: 'The folder for configuration, in which keys are kept.',
    unset: 'the folder that the system has for it',
  },
  appData: {
    name: 'APPDATA',
    means: 'The same on Windows.',
  },
  npmCommand: {
    name: 'npm_lifecycle_event',
    means: 'Set by npm. Hints begin with `npm run` or `npx` if the command was called that way.',
  },
} as const satisfies Readonly<Record<string, Setting>>

/** In the order in which the page lists them. */
export const settingGroups = [
  { title: 'The log', settings: logSettings },
  { title: 'Processes and models', settings: processSettings },
  { title: 'Keys', settings: keySettings },
  { title: 'NATS', settings: natsSettings },
  { title: 'Gateways', settings: gatewaySettings },
  { title: 'Reaching people', settings: outreachSettings },
  { title: 'OpenID Connect', settings: oidcSettings },
  { title: 'Neo4j', settings: neo4jSettings },
  { title: 'Tracing', settings: tracingSettings },
  { title: 'The system', settings: systemSettings },
] as const

export const settingTable = {
  ...logSettings,
  ...processSettings,
  ...keySettings,
  ...natsSettings,
  ...gatewaySettings,
  ...outreachSettings,
  ...oidcSettings,
  ...neo4jSettings,
  ...tracingSettings,
  ...systemSettings,
} as const

export type SettingKey = keyof typeof settingTable
