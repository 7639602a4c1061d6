import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Report } from '@ordinator/model/report'
import type { Plugin } from 'vite'

const MODULE = 'virtual:reports'
const FILE = join(import.meta.dirname, '../../packages/model/src/reports.ts')

/**
 * The module `virtual:reports`: all reports as plain data, computed from the declarations when the app is built. The
 * declarations themselves draw in the entities of eight areas. A changed one is picked up after a restart of the
 * development server.
 */
export function reports(): Plugin {
  return {
    name: 'ordinator:reports',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: async (id) => {
      if (id !== `\0${MODULE}`) return undefined
      const found = (await import(pathToFileURL(FILE).href)) as { reports: readonly Report[] }
      return `export const reports = JSON.parse(${JSON.stringify(JSON.stringify(found.reports))})`
    },
  }
}
