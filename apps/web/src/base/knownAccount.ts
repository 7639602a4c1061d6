import { type Account, completeAccount } from './account.ts'
import { stored, write } from './stored.ts'
import { userOf } from './token.ts'

const KEY = 'ordinator:account'
/** Another version of the app may have kept it in another shape. */
const build = import.meta.url

/**
 * The account as this browser has seen it last: what the menu, the top bar and the guards are drawn by until the server
 * has answered. It goes away with the sign-out, and stands for nobody but the person of the token.
 */
export const knownAccount = {
  of(bearer: string): Account | null {
    const kept = stored(KEY) as { build?: string; user?: string; account?: Account } | null
    const user = userOf(bearer)
    if (user === undefined || kept?.build !== build || kept.user !== user || !kept.account) return null
    return completeAccount(kept.account)
  },

  keep(bearer: string, account: Account): void {
    // Lines of alerts name patients: the browser keeps how many there are.
    const alerts = Object.fromEntries(
      Object.entries(account.user.alerts).map(([name, lines]) => [name, lines.map(() => null)]),
    )
    write(KEY, { build, user: userOf(bearer), account: { ...account, user: { ...account.user, alerts } } })
  },
}
