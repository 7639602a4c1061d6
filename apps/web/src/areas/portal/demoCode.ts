import { ask } from './ask.ts'

/** Reads the code in the demo clinic, where nothing is sent. */
export async function demoCode(phone: string): Promise<string | null> {
  for (let at = 0; at < 60; at++) {
    const { code } = await ask('GET /portal/demo-code', { query: { phone } })
    if (code) return code
    await new Promise((go) => setTimeout(go, 1_000))
  }
  return null
}
