import type { Plugin } from 'vite'

/** Fails a build that warns: a warning that is printed for weeks is not read, and hides the next one. */
export function noWarnings(): Plugin {
  const warnings: string[] = []
  return {
    name: 'ordinator:no-warnings',
    apply: 'build',
    enforce: 'post',
    configResolved({ logger }) {
      const warn = logger.warn.bind(logger)
      logger.warn = (text, options) => {
        warnings.push(text)
        warn(text, options)
      }
    },
    closeBundle: {
      order: 'post',
      handler() {
        if (warnings.length > 0) throw new Error(`The build has warnings: ${warnings.length}, see above`)
      },
    },
  }
}
