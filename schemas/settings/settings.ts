// The values of what the environment configures. Code below `runtime/wiring` gets these values and
// never the variables.
import { z } from 'zod'
import { Digest } from '../values.ts'
import { logLevels, type SettingKey } from './table.ts'
import { later } from '../later.ts'

const text = later(() => z.string().optional())

/** The value of each variable that is set; one that is empty counts as not set. */
export const Settings = later(() =>
  z
    .strictObject({
      log: text,
      logId: Digest.optional(),
      rootKey: text,
      home: text,
      logLevel: z.enum(logLevels).optional(),
      listen: text,
      hookIdle: z
        .string()
        .regex(/^\d{1,6}$/)
        .optional(),
      webhookSecretFile: text,
      token: text,
      key: text,
      keys: text,
      marks: text,
      user: text,
      keyPassphraseFile: text,
      model: text,
      modelUrl: text,
      natsNkeyFile: text,
      natsCredsFile: text,
      natsOperatorFile: text,
      natsCaFile: text,
      natsCertFile: text,
      natsKeyFile: text,
      natsApi: text,
      secrets: text,
      sessionChars: z.coerce.number().int().min(10_000).optional(),
      reach: text,
      consoleUrl: text,
      smtpUrl: text,
      smtpUser: text,
      mailFrom: text,
      pushContact: text,
      outreachHosts: text,
      oidcIssuer: text,
      oidcAudience: text,
      oidcClient: text,
      oidcClientSecretFile: text,
      neo4jUrl: text,
      neo4jUser: text,
      neo4jPasswordFile: text,
      neo4jDatabase: text,
      neo4jCaFile: text,
      tracesExporter: text,
      tracesUrl: text,
      otlpUrl: text,
      otelDisabled: text,
      npmCommand: text,
      configHome: text,
      appData: text,
    } satisfies Readonly<Record<SettingKey, z.ZodType>>)
    .readonly(),
)
export type Settings = z.infer<typeof Settings>
