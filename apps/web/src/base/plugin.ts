/** Milliseconds to wait for the program, which may not be running. */
const TIMEOUT_MS = 2_000

/** Informs the telephony program on this computer; failures only appear in the console. */
export async function notifyPlugin(url: string, what: 'login' | 'logout', body: object): Promise<void> {
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
