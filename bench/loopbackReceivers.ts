/**
 * Preloaded into a measured server: allows its webhooks to call receivers on this machine. A production server has no
 * such option.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/platform/outbound.ts')) return loaded
    const source = String(loaded.source)
    const open = source.replace('allow = [], timeout', "allow = ['127.0.0.1'], timeout")
    if (open === source) throw new Error('the guard cannot be opened: it is written in another way')
    return { ...loaded, source: open }
  },
})
