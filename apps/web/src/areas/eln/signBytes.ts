/**
 * The port of signing in the browser. Keys are the area of signatures' business; until it is there the test contour of the
 * Social Fund takes marked signatures, and the server refuses them on the working one.
 */

/** @param bytes base64 of what is signed @returns base64 of a signature */
export async function signBytes(bytes: string): Promise<string> {
  const raw = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))
  const hash = [...new Uint8Array(await crypto.subtle.digest('SHA-256', raw))]
  const words = new TextEncoder().encode(
    `ТЕСТОВАЯ ПОДПИСЬ ${hash.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  )
  return btoa(String.fromCharCode(...words))
}
