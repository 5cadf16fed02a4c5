// The variables by which people are reached: the table of settings has them among its own.
import { webhookTitles } from '../outreach/webhook-channels.ts'
import type { Setting } from './setting.ts'

export const outreachSettings = {
  reach: {
    name: 'WARRANT_REACH',
    means: 'The file with the places where people are reached. `--reach` comes first.',
    unset: '`reach.ndjson` beside a log in a file',
  },
  consoleUrl: {
    name: 'WARRANT_CONSOLE_URL',
    means: 'The address of the console, to which messages lead. `--url` comes first.',
    expects: 'an address such as https://warrant.example',
  },
  smtpUrl: {
    name: 'WARRANT_SMTP_URL',
    means:
      'The server that takes e-mail: `smtps://host:465`, or `smtp://host:587` where it offers ' +
      'TLS later. Its password is the secret `SMTP_PASSWORD`.',
    unset: 'no e-mail is sent',
    expects: '`smtps://host:port` or `smtp://host:port`, without a user',
  },
  smtpUser: {
    name: 'WARRANT_SMTP_USER',
    means: 'As whom to sign in there.',
    unset: 'no one signs in',
  },
  mailFrom: {
    name: 'WARRANT_MAIL_FROM',
    means: 'From which address e-mail comes.',
    expects: 'one address, such as warrant@example.org',
  },
  pushContact: {
    name: 'WARRANT_PUSH_CONTACT',
    means:
      'Whom the operator of a push service can ask. The private key is the secret `VAPID_KEY`, ' +
      'of `warrant reach push-key`.',
    unset: 'nothing is pushed to browsers',
    expects: '`mailto:…`, or an https address',
  },
  outreachHosts: {
    name: 'WARRANT_OUTREACH_HOSTS',
    means:
      'Hosts of your own that channels may reach at private addresses, with commas between: a ' +
      'server of e-mail, or one that takes the messages of Slack.',
    unset: `public addresses alone, and those of ${webhookTitles}`,
  },
} as const satisfies Readonly<Record<string, Setting>>
