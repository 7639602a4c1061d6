/** Base64 of bytes, in chunks that fit the call stack. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

export const base64Of = async (file: Blob): Promise<string> => toBase64(new Uint8Array(await file.arrayBuffer()))
