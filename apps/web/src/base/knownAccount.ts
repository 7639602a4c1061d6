import { type Account, completeAccount } from './account.ts'
import { stored, write } from './stored.ts'
import { userOf } from './token.ts'

const KEY = 'ordinator:account'
/** Another version of the app may have stored it in another form. */
const build = import.meta.url

/**
 * The account last seen in this browser: menu, top bar and guards use it until the server answers. It is deleted at the
 * sign-out, and used only for the user of the token.
 */
export const knownAccount = {
  of(bearer: string): Account | null {
    const kept = stored(KEY) as { build?: string; user?: string; account?: Account } | null
    const user = userOf(bearer)
    if (user === undefined || kept?.build !== build || kept.user !== user || !kept.account) return null
    return completeAccount(kept.account)
  },

  keep(bearer: string, account: Account): void {
    write(KEY, { build, user: userOf(bearer), account })
  },
}
