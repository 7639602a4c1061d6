import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** What stands on every answer, whoever gives it: records of people, of which nothing keeps a copy unless its route says so. */
export const fixedHeaders = (publicUrl: string): Record<string, string> => ({
  ...securityHeaders(publicUrl),
  'cache-control': 'no-store',
})

/**
 * The headers that keep a page safe, by name. Helmet makes them once: they are the same for every answer, and making
 * them anew for each took a fifth of the time of a small one.
 * @param publicUrl where people reach the server; `https:` adds what only makes sense there
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
        // A telephony program of the employee's own computer is told who has signed in.
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
        // The kit of components writes styles into the page.
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'", 'blob:'],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Browsers complain about these on a plain http address.
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
