/** Connections to the services of the Social Fund and of ТФОМС: the clinic's address, or the server's own. */

import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { CommonSettingName } from '@ordinator/model/areas/settings/commonSettings'
import { secretOf } from '#areas/settings/index.ts'
import { type Remote, remote } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'

export interface Named {
  adapter: AdapterCode
  /** From the clinic's settings; empty: the server's own. */
  address: string
  own: string | undefined
  login?: string
  password?: CommonSettingName
  bearer?: CommonSettingName
}

/** Undefined if neither the clinic nor the server has an address. */
export function reach(app: AppContext, { adapter, address, own, login, password, bearer }: Named): Remote | undefined {
  const url = address || own
  if (!url) return undefined
  return remote(app, {
    adapter,
    url: url.replace(/\/+$/, ''),
    ...(!address && { isOwn: true }),
    async auth(): Promise<Record<string, string>> {
      const pass = password && (await secretOf(app.db, password))
      if (login && pass) return { authorization: `Basic ${Buffer.from(`${login}:${pass}`).toString('base64')}` }
      const token = bearer && (await secretOf(app.db, bearer))
      return token ? { authorization: `Bearer ${token}` } : {}
    },
  })
}
