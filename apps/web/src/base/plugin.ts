/** Milliseconds: a program that is not there is not waited for. */
const TIMEOUT_MS = 2_000

/** Tells the telephony program of this computer; what comes of it stands in the console alone. */
export async function tellPlugin(url: string, what: 'login' | 'logout', body: object): Promise<void> {
  try {
    await fetch(`${url}/auth/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify(body),
      keepalive: what === 'logout',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    console.debug('telephony plugin', what, error)
  }
}
