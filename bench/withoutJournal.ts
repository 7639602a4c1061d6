/**
 * Preloaded into a measured server: disables the access journal, so that its cost can be measured. A production server
 * has no such option.
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
