import type { Plugin } from 'vite'

const FILE = /\/crypto-pro\/lib\/crypto-pro\.js$/

/**
 * The library `crypto-pro` builds its functions from text and runs them by `eval`, for browsers of the NPAPI era; the
 * security policy of the app forbids that. This plugin writes them out as the library itself would for browsers of today
 * (generators run by the plug-in's `async_spawn`), when the app is built.
 * @throws Error when a version of the library has `eval` that is not known here
 */
export function cryptoPro(): Plugin {
  return {
    name: 'ordinator:crypto-pro',
    transform: {
      filter: { id: FILE },
      handler: (code) => ({ code: withoutEval(code), map: null }),
    },
  }
}

/** The source of the library without code made from text. */
export function withoutEval(code: string): string {
  const written = code
    .replaceAll('eval(_generateCadesFn_1._generateCadesFn(function ', 'window.cadesplugin.async_spawn((function* ')
    // A line break after `yield` would end the expression.
    .replace(/_generateCadesFn_1\.__cadesAsyncToken__ \+\s*/g, 'yield ')
    .replaceAll('_generateCadesFn_1.__createCadesPluginObject__', 'window.cadesplugin.CreateObjectAsync')
    // The plug-in's bridge of mobile systems answers with JSON.
    .replace(/var str='tmpobj='\+response;\s*eval\(str\);/, 'tmpobj = JSON.parse(response);')
  if (/[^\w.]eval\(|__cadesAsyncToken__ \+/.test(written)) throw new Error('crypto-pro: unknown code made from text')
  return written
}
