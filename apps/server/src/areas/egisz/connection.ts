/** Connections to the register and to НСИ by the clinic's settings. */

import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { type Remote, remote } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'

export interface Connection {
  remote: Remote
  /** Ids of the organization and of our МИС in the register. */
  oid: string
  system: string
  /** Address for replies. */
  callback: string
}

const TIMEOUT_MS = 30_000
const MAX_ANSWER = 20 * 1024 * 1024

/** @returns undefined if the exchange is not configured */
export async function egiszConnection(app: AppContext): Promise<Connection | undefined> {
  const settings = await readCommonSettings(app.db)
  const { egiszMode: mode, egiszAddress, egiszOid: oid, egiszSystem: system } = settings
  const isSimulator = mode === 'simulator'
  const url = isSimulator ? app.config.egiszUrl : egiszAddress
  if (mode === 'off' || !url || !oid) return undefined
  const token = settings.egiszToken ? await secretOf(app.db, 'egiszToken') : undefined
  return {
    oid,
    system,
    callback: settings.egiszCallback || `${app.config.publicUrl}/egisz/callback`,
    remote: remote(app, {
      adapter: 'egisz',
      url: url.replace(/\/+$/, ''),
      ...(isSimulator && { isOwn: true }),
      ...(token && { auth: () => ({ authorization: `Bearer ${token}` }) }),
      timeout: TIMEOUT_MS,
      maxAnswer: MAX_ANSWER,
    }),
  }
}

/** @param query added to each request: the key of the clinic */
export async function nsiConnection(app: AppContext): Promise<{ remote: Remote; key: string }> {
  const { egiszMode, nsiAddress, nsiKey } = await readCommonSettings(app.db)
  const isSimulator = egiszMode === 'simulator'
  const key = nsiKey ? ((await secretOf(app.db, 'nsiKey')) ?? '') : ''
  return {
    key,
    remote: remote(app, {
      adapter: 'nsi',
      url: (isSimulator ? `${app.config.egiszUrl}/nsi` : nsiAddress).replace(/\/+$/, ''),
      ...(isSimulator && { isOwn: true }),
      timeout: TIMEOUT_MS,
      maxAnswer: MAX_ANSWER,
    }),
  }
}
