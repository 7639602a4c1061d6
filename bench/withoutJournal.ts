/**
 * Preloaded into a server that is measured: it keeps no journal of access, so that what the journal costs can be told.
 * No server of a clinic can be told so.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/records/journal.ts')) return loaded
    const source = String(loaded.source)
    const silent = source.replaceAll('  if (entries.length === 0) return\n', '  if (entries.length >= 0) return\n')
    if (silent === source) throw new Error('the journal cannot be left out: it is written in another way')
    return { ...loaded, source: silent }
  },
})
