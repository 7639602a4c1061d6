import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import { VERSION } from './version.ts'

/** Headers of every answer: answers hold personal data, so nothing caches them unless the route allows it. */
export const fixedHeaders = (publicUrl: string): Record<string, string> => ({
  ...securityHeaders(publicUrl),
  'cache-control': 'no-store',
  // An open tab of an earlier version notifies its user (apps/web/src/base/newVersion.ts).
  'x-app-version': VERSION,
})

/**
 * Security headers of a page, by name. Helmet computes them once: they are the same for every answer, and computing them
 * each time took a fifth of a small answer.
 * @param publicUrl the product's address; `https:` adds the headers that only make sense there
 */
function securityHeaders(publicUrl: string): Record<string, string> {
  const secure = publicUrl.startsWith('https:')
  const headers: Record<string, string> = {}
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  const make = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        // A telephony program on the employee's computer is notified of the sign-in.
        connectSrc: ["'self'", 'http://127.0.0.1:*'],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        frameSrc: ["'self'", 'blob:'],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // The component library writes styles into the page.
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'", 'blob:'],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Browsers warn about these on a plain http address.
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure && { maxAge: 31_536_000 },
    xFrameOptions: { action: 'sameorigin' },
  })
  make({} as IncomingMessage, answer as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error
  })
  return headers
}
