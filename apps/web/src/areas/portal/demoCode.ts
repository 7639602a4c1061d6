import { ask } from './ask.ts'

/** The code that the demo clinic sends to nobody. */
export async function demoCode(phone: string): Promise<string | null> {
  for (let at = 0; at < 12; at++) {
    const { code } = await ask('GET /portal/demo-code', { query: { phone } })
    if (code) return code
    await new Promise((go) => setTimeout(go, 500))
  }
  return null
}
