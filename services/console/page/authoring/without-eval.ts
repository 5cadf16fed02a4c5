// The page's policy lets no text become a script, so schemas are read without being compiled. It
// is imported before any schema is.
import { config } from 'zod'

config({ jitless: true })
