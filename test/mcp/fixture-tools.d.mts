import type { McpServer } from '@modelcontextprotocol/server'

export function fixtureServer(file?: string): McpServer
